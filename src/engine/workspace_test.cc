#include "engine/workspace.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "base/process_memory.h"
#include "base/unique_fd.h"
#include "engine/model_test_support.h"
#include "engine/session.h"

namespace holostat::engine {
namespace {

using Sessions = std::vector<std::unique_ptr<Session>>;

std::shared_ptr<Workspace> NewWorkspace(std::size_t capacity = Workspace::kDefaultCapacity) {
  auto workspace = Workspace::Create(capacity);
  EXPECT_TRUE(workspace) << workspace.error().message;
  return workspace ? *workspace : nullptr;
}

std::unique_ptr<Session> Load(std::string_view model, std::shared_ptr<Workspace> workspace) {
  auto session = Session::Create(ReadModelFile(model), {.workspace = std::move(workspace)});
  if (!session) ADD_FAILURE() << model << ": " << session.error().message;
  return session ? std::move(*session) : nullptr;
}

Sessions LoadAll(const std::shared_ptr<Workspace>& workspace) {
  Sessions sessions;
  for (const std::string_view model : kModelNames) sessions.push_back(Load(model, workspace));
  return sessions;
}

// The outputs for inputs that are drawn from `seed`.
std::vector<float> RunOnce(Session& session, unsigned seed) {
  std::minstd_rand random(seed);
  std::uniform_real_distribution<float> values(0, 1);
  for (std::size_t i = 0; i < session.input_count(); ++i) {
    for (float& value : session.input(i)) value = values(random);
  }
  EXPECT_TRUE(session.Run());
  std::vector<float> all;
  for (std::size_t i = 0; i < session.output_count(); ++i) {
    const auto output = session.output(i);
    all.insert(all.end(), output.begin(), output.end());
  }
  return all;
}

bool SameBytes(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// What `measure` gives in a forked child.
std::uint64_t InAChild(const std::function<std::uint64_t()>& measure) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::uint64_t value = measure();
    ::_exit(::write(ends[1], &value, sizeof(value)) == sizeof(value) ? 0 : 1);
  }
  std::uint64_t value = 0;
  ::close(ends[1]);
  EXPECT_EQ(::read(ends[0], &value, sizeof(value)), static_cast<ssize_t>(sizeof(value)));
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return value;
}

struct Pages {
  std::uint64_t all = 0, present = 0;
  std::uint64_t exclusive = 0;  // present and of this process alone
};

// Of `bytes` in this process, from /proc/self/pagemap (Documentation/admin-guide/mm/pagemap.rst):
// smaps would join neighbours.
Pages CountPages(std::span<const std::byte> bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(bytes.data()) / page;
  const std::uintptr_t last =
      reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size() - 1) / page;
  std::vector<std::uint64_t> entries(last - first + 1);
  const UniqueFd map(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  const std::size_t bytes_of_entries = entries.size() * sizeof(std::uint64_t);
  EXPECT_EQ(::pread(map.get(), entries.data(), bytes_of_entries,
                    static_cast<off_t>(first * sizeof(std::uint64_t))),
            static_cast<ssize_t>(bytes_of_entries));
  Pages pages{.all = entries.size()};
  for (const std::uint64_t entry : entries) {
    const bool is_present = (entry >> 63 & 1) != 0;
    pages.present += is_present;
    pages.exclusive += is_present && (entry >> 56 & 1) != 0;
  }
  return pages;
}

class SessionsInOneWorkspace : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string_view model : kModelNames) {
      if (!std::filesystem::exists(ModelPath(model))) {
        GTEST_SKIP() << ModelPath(model) << " is missing: run ./dev setup";
      }
    }
  }
};

TEST_F(SessionsInOneWorkspace, GiveInAnyOrderWhatEachGivesAlone) {
  const Sessions alone = LoadAll(nullptr), together = LoadAll(NewWorkspace());
  std::vector<std::size_t> order(together.size() * 3);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i % together.size();
  std::minstd_rand random(11);
  std::ranges::shuffle(order, random);
  unsigned seed = 0;
  for (const std::size_t i : order) {
    ++seed;
    const auto expected = RunOnce(*alone[i], seed);
    EXPECT_TRUE(SameBytes(expected, RunOnce(*together[i], seed))) << kModelNames[i];
  }
}

TEST_F(SessionsInOneWorkspace, KeepTheirOutputsWhenOthersRun) {
  const Sessions sessions = LoadAll(NewWorkspace());
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const auto before = RunOnce(*sessions[i], 5);
    for (std::size_t other = 0; other < sessions.size(); ++other) {
      if (other != i) RunOnce(*sessions[other], 6);
    }
    const auto output = sessions[i]->output(0);
    EXPECT_TRUE(SameBytes({before.begin(), before.begin() + std::ssize(output)},
                          {output.begin(), output.end()}))
        << kModelNames[i];
  }
}

TEST_F(SessionsInOneWorkspace, AllFitAndShareIt) {
  const auto workspace = NewWorkspace();
  std::size_t largest = 0;
  for (const std::string_view model : kModelNames) {
    const auto session = Load(model, workspace), alone = Load(model, nullptr);
    EXPECT_LT(session->arena_bytes() + session->input(0).size_bytes(), alone->arena_bytes() + 64);
    EXPECT_EQ(session->input(0).data(), Load(model, workspace)->input(0).data()) << model;
    EXPECT_GT(session->workspace_bytes(), 0U) << model;
    EXPECT_EQ(session->shared_workspace_bytes(), session->workspace_bytes()) << model;
    largest = std::max(largest, session->workspace_bytes());
  }
  EXPECT_GE(workspace->bytes(), largest);
  EXPECT_LT(workspace->bytes(), largest + (1 << 20));  // and the largest picture going in
}

// A workspace that is not shared is the negative control: a measure that does not see those would
// not see the shared one either.
TEST_F(SessionsInOneWorkspace, CostAForkedChildOnlyTheLargestOfThem) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has private memory of its own";
#endif
  const auto workspace = NewWorkspace();
  const Sessions alone = LoadAll(nullptr), together = LoadAll(workspace);
  const auto uss_after_running = [](const Sessions& sessions) {
    return InAChild([&] {
      for (const auto& session : sessions) {
        if (!session->Run()) return std::uint64_t{0};
      }
      const auto memory = ReadProcessMemory();
      return memory ? memory->uss_bytes : 0;
    });
  };
  std::size_t sum = 0, arenas = 0;
  for (const auto& session : alone) sum += session->workspace_bytes();
  for (const auto& session : alone) arenas += session->arena_bytes();
  constexpr std::size_t kProgram = 3 << 20;  // stack, heap and relocated data of the process
  const std::size_t bound = workspace->bytes() + arenas + kProgram;
  const std::uint64_t shared = uss_after_running(together), unshared = uss_after_running(alone);
  EXPECT_GT(shared, workspace->bytes());
  EXPECT_LT(shared, bound);
  EXPECT_GT(unshared, bound);
  EXPECT_GT(unshared - shared, (sum - workspace->bytes()) / 10 * 9);
}

TEST_F(SessionsInOneWorkspace, GoOnWhenTheOneThatTookMostIsGone) {
  auto workspace = NewWorkspace();
  auto large = Load("pose_landmark_heavy", workspace), small = Load("hand_recrop", workspace);
  workspace.reset();
  const auto before = RunOnce(*small, 1);
  RunOnce(*large, 1);
  large.reset();
  EXPECT_TRUE(SameBytes(before, RunOnce(*small, 1)));
}

TEST_F(SessionsInOneWorkspace, RunWhenTheyAreMadeAfterOthersHaveRun) {
  const auto workspace = NewWorkspace();
  const auto first = Load("hand_landmark_full", workspace);
  const auto before = RunOnce(*first, 1);
  const auto second = Load("pose_landmark_lite", workspace);
  EXPECT_EQ(second->shared_workspace_bytes(), second->workspace_bytes());
  RunOnce(*second, 1);
  EXPECT_TRUE(SameBytes(before, RunOnce(*first, 1)));
}

TEST_F(SessionsInOneWorkspace, DoNotMeetThoseOfAnotherThread) {
  const auto work = [](std::string_view model, std::vector<float>& outputs) {
    const auto workspace = NewWorkspace();
    for (int i = 0; i < 3; ++i) {
      const auto first = Load(model, workspace), second = Load("hand_recrop", workspace);
      RunOnce(*second, 7);
      outputs = RunOnce(*first, 7);
    }
  };
  std::vector<float> mesh, hand, expected;
  std::thread other(work, "face_landmark", std::ref(mesh));
  work("hand_landmark_full", hand);
  other.join();
  work("face_landmark", expected);
  EXPECT_TRUE(SameBytes(mesh, expected));
  work("hand_landmark_full", expected);
  EXPECT_TRUE(SameBytes(hand, expected));
}

TEST_F(SessionsInOneWorkspace, HaveTheirOwnWhenTheyDoNotFit) {
  const auto session = Load("hand_landmark_full", NewWorkspace(1 << 20));
  EXPECT_GT(session->workspace_bytes(), std::size_t{1} << 20);
  EXPECT_EQ(session->shared_workspace_bytes(), 0U);
  EXPECT_TRUE(SameBytes(RunOnce(*session, 3), RunOnce(*Load("hand_landmark_full", nullptr), 3)));
}

// Locked pages are all resident at once, so that nothing can be told from which were touched.
TEST_F(SessionsInOneWorkspace, AreOnTheHeapWhereTheWorkspaceCannotBeTold) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer does not let pages be locked";
#endif
  const auto expected = RunOnce(*Load("face_landmark", nullptr), 3);
  enum : std::uint64_t { kSame = 1, kDifferent, kNotOnTheHeap, kFailed, kCannotLock };
  const auto result = InAChild([&]() -> std::uint64_t {
    const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_MEMLOCK, &unlimited);
    if (::mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return kCannotLock;
    const auto session = Load("face_landmark", NewWorkspace());
    if (session == nullptr) return kFailed;
    if (!session->constant_pages().empty() || session->workspace_bytes() != 0) return kNotOnTheHeap;
    return SameBytes(expected, RunOnce(*session, 3)) ? kSame : kDifferent;
  });
  if (result == kCannotLock) GTEST_SKIP() << "this user may not lock pages";
  EXPECT_EQ(result, kSame);
}

class ConstantsOfModel : public ModelTest {};

// The inputs are the negative control: those pages the child does write.
TEST_P(ConstantsOfModel, StaySharedWithAForkedChildThatRuns) {
  const auto session = Load(GetParam(), NewWorkspace());
  ASSERT_TRUE(session->Run());
  const auto exclusive_after_run = [&](std::span<const std::byte> bytes) {
    return InAChild([&] {
      RunOnce(*session, 9);
      return CountPages(bytes).exclusive;
    });
  };
  ASSERT_FALSE(session->constant_pages().empty());
  for (const auto bytes : session->constant_pages()) {
    const Pages pages = CountPages(bytes);
    EXPECT_GE(pages.present + 1, pages.all);  // the last may be only there to be read past an end
    EXPECT_EQ(exclusive_after_run(bytes), 0U);
  }
  const auto input = std::as_bytes(session->input(0));
  EXPECT_EQ(exclusive_after_run(input), CountPages(input).all);
}

TEST_P(ConstantsOfModel, CannotBeWritten) {
  const auto session = Load(GetParam(), nullptr);
  for (const auto bytes : session->constant_pages()) {
    // The system call fails where the pages do not let it write.
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    EXPECT_EQ(::write(ends[1], "x", 1), 1);
    auto* place = const_cast<std::byte*>(bytes.data());
    EXPECT_EQ(::read(ends[0], place, 1), -1);
    for (const int end : ends) ::close(end);
  }
}

INSTANTIATE_TEST_SUITE_P(, ConstantsOfModel, testing::ValuesIn(kModelNames), ModelTestName);

}  // namespace
}  // namespace holostat::engine
