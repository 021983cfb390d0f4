// Alone in its program: XNNPACK is initialised once a process, here by somebody else.
#include <gtest/gtest.h>
#include <xnnpack.h>

#include "engine/model_test_support.h"
#include "engine/session.h"

namespace holostat::engine {
namespace {

class SessionUnderAForeignAllocator : public ModelTest {};

TEST_P(SessionUnderAForeignAllocator, RunsWithMemoryOfItsOwn) {
  ASSERT_EQ(xnn_initialize(nullptr), xnn_status_success);
  auto workspace = Workspace::Create();
  ASSERT_TRUE(workspace);
  auto session = Session::Create(ReadModelFile(GetParam()), {.workspace = *workspace});
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_TRUE((*session)->Run());
  EXPECT_EQ((*session)->workspace_bytes(), 0U);  // that the engine knows of
  EXPECT_EQ((*session)->shared_workspace_bytes(), 0U);
  session->reset();  // gives each block back to where it came from, or the sanitizer objects
}

INSTANTIATE_TEST_SUITE_P(, SessionUnderAForeignAllocator, testing::ValuesIn(kModelNames),
                         ModelTestName);

}  // namespace
}  // namespace holostat::engine
