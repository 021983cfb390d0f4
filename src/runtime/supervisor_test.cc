#include "runtime/supervisor.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/sanitizers.h"
#include "base/test_dir.h"

namespace holostat::runtime {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr milliseconds kPatience(60000);  // a test that waits longer has failed
// For what never comes; long enough for what does.
constexpr milliseconds kShortPatience(HOLO_SANITIZER ? 5000 : 1500);

std::string Reversed(std::string_view text) { return {text.rbegin(), text.rend()}; }

// A request on its way, and what became of it.
struct Pending {
  std::optional<Result<Answer>> outcome;
  bool ok(std::string_view expected) const {
    return outcome && *outcome && (*outcome)->bytes == expected;
  }
};

class SupervisorTest : public testing::Test {
 protected:
  SupervisorTest() {
    options_.zygote = {HOLOSTAT_ECHO_ZYGOTE, {}};
    options_.models = Bit(ipc::Complexity::kLite) | Bit(ipc::Complexity::kFull);
    options_.pool.workers = 2;
    options_.pool.job_timeout = milliseconds(HOLO_SANITIZER ? 3000 : 500);
    options_.pool.start_timeout = milliseconds(20000);
    options_.pool.queue_max_age = milliseconds(30000);
    options_.on_event = [this](const ServiceEvent& event) { events_ += event.text + "\n"; };
  }
  ~SupervisorTest() override {
    if (!supervisor_) return;
    EXPECT_EQ(supervisor_->Stop(milliseconds(10000)), "0 leaked") << events_;
    supervisor_.reset();
    EXPECT_EQ(ResourceAccount::Take().LeakedSince(before_), "0 leaked");
  }

  static std::uint32_t Bit(ipc::Complexity complexity) { return ipc::ModelBit(complexity); }

  void Start() {
    before_ = ResourceAccount::Take();
    supervisor_ = Supervisor::Start(clock_, options_).value();
    const auto ready = supervisor_->WaitUntilReady(kPatience);
    ASSERT_TRUE(ready) << ready.error().message;
  }

  // Null when it was refused at once, with the error in refusal_.
  std::shared_ptr<Pending> Send(std::string_view text, std::string fault = "",
                                ipc::Complexity complexity = ipc::Complexity::kFull) {
    auto lease = supervisor_->AcquireSlot(text.size()).value();
    std::memcpy(lease.slot().bytes().data(), text.data(), text.size());
    EXPECT_TRUE(lease.slot().Seal());
    ipc::Job job;
    job.fault = std::move(fault);
    job.complexity = complexity;
    auto pending = std::make_shared<Pending>();
    const auto id = supervisor_->Submit(job, std::move(lease), [pending](Result<Answer> answer) {
      EXPECT_FALSE(pending->outcome) << "answered twice";
      pending->outcome = std::move(answer);
    });
    if (id) return pending;
    refusal_ = id.error();
    return nullptr;
  }

  template <class Condition>
  bool RunUntil(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      supervisor_->loop().Step(milliseconds(50));
    }
    return true;
  }

  Result<Answer> Ask(std::string_view text, std::string fault = "",
                     ipc::Complexity complexity = ipc::Complexity::kFull) {
    const auto pending = Send(text, std::move(fault), complexity);
    if (pending == nullptr) return tl::unexpected(refusal_);
    if (!RunUntil([&] { return pending->outcome.has_value(); }))
      return Fail(ErrorCode::kTimeout, "the test lost its patience");
    return *pending->outcome;
  }
  std::string Text(std::string_view text, std::string fault = "") {
    const auto answer = Ask(text, std::move(fault));
    return answer ? answer->bytes : "error: " + answer.error().message;
  }

  const Totals& totals() const { return supervisor_->pool().stats().totals; }
  std::set<pid_t> WorkerPids() const {
    std::set<pid_t> pids;
    for (const auto& worker : supervisor_->pool().workers()) pids.insert(worker->pid());
    return pids;
  }

  std::vector<pid_t> PidsOf(WorkerState state) const {
    std::vector<pid_t> pids;
    for (const auto& worker : supervisor_->pool().workers()) {
      if (worker->state == state && worker->pid() != 0) pids.push_back(worker->pid());
    }
    return pids;
  }

  SystemClock clock_;
  Supervisor::Options options_;
  ResourceAccount before_;
  std::unique_ptr<Supervisor> supervisor_;
  std::string events_;
  Error refusal_;
};

TEST_F(SupervisorTest, AnswersARequest) {
  Start();
  EXPECT_EQ(Text("hello"), "olleh");
  EXPECT_EQ(totals().ok, 1u);
  EXPECT_EQ(totals().retried, 0u);
}

TEST_F(SupervisorTest, NeverMixesAnswersUp) {
  options_.pool.workers = 3;
  Start();
  std::vector<std::pair<std::string, std::shared_ptr<Pending>>> sent;
  for (int i = 0; i < 600; ++i) {
    const std::string text = fmt::format("request {}", i * 7919);
    auto pending = Send(text, i % 20 == 0 ? "crash" : i % 31 == 0 ? "garbage" : "");
    ASSERT_NE(pending, nullptr) << refusal_.message;
    sent.emplace_back(text, pending);
    RunUntil([&] { return supervisor_->pool().queue_length() < 8; });
  }
  for (const auto& [text, pending] : sent) {
    ASSERT_TRUE(RunUntil([&] { return pending->outcome.has_value(); }));
    EXPECT_TRUE(pending->ok(Reversed(text)))
        << text << ": "
        << (*pending->outcome ? (*pending->outcome)->bytes : pending->outcome->error().message);
  }
}

struct Fault {
  std::string text;
  std::uint64_t WorkerExits::*counted;
  bool retried;
};

class SupervisorFaultTest : public SupervisorTest, public testing::WithParamInterface<Fault> {};

TEST_P(SupervisorFaultTest, IsHiddenFromTheClient) {
  Start();
  EXPECT_EQ(Text("hello", GetParam().text), "olleh") << events_;
  EXPECT_EQ(totals().retried, GetParam().retried ? 1u : 0u);
  ASSERT_TRUE(RunUntil([&] { return totals().worker_exits.*GetParam().counted == 1; })) << events_;
  ASSERT_TRUE(RunUntil([&] { return supervisor_->pool().ready_workers() == 2; })) << events_;
  EXPECT_EQ(Text("again"), "niaga");
}

INSTANTIATE_TEST_SUITE_P(Faults, SupervisorFaultTest,
                         testing::Values(Fault{"crash", &WorkerExits::crashed, true},
                                         Fault{"abort", &WorkerExits::crashed, true},
                                         Fault{"exit:3", &WorkerExits::crashed, true},
                                         Fault{"exit:0", &WorkerExits::crashed, true},
                                         Fault{"hang", &WorkerExits::hung, true},
                                         Fault{"spin", &WorkerExits::hung, true},
                                         Fault{"garbage", &WorkerExits::garbage, true},
                                         Fault{"nonsense", &WorkerExits::garbage, true},
                                         Fault{"die-answering", &WorkerExits::crashed, true},
                                         Fault{"die-answered", &WorkerExits::crashed, false}),
                         [](const auto& fault) {
                           std::string name = fault.param.text;
                           std::ranges::replace_if(
                               name, [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

TEST_F(SupervisorTest, RefusesARequestThatEndsTwoWorkersAndRemembersIt) {
  Start();
  const auto poison = Ask("poison", "!crash");
  ASSERT_FALSE(poison);
  EXPECT_EQ(poison.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(totals().worker_exits.crashed, 2u);
  EXPECT_EQ(Send("poison"), nullptr);  // without the fault: it is the bytes that are known
  EXPECT_EQ(refusal_.code, ErrorCode::kUnsupported);
  EXPECT_EQ(Text("wholesome"), "emoselohw");
  EXPECT_EQ(totals().worker_exits.crashed, 2u);
}

TEST_F(SupervisorTest, CallsARequestThatHangsTwiceATimeout) {
  Start();
  const auto answer = Ask("slow", "!hang");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kTimeout);
}

TEST_F(SupervisorTest, TakesAClientsErrorForNoFaultOfTheWorker) {
  Start();
  const auto pids = WorkerPids();
  const auto answer = Ask("error not a picture");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(answer.error().message, "not a picture");
  EXPECT_EQ(totals().client_errors, 1u);
  EXPECT_EQ(WorkerPids(), pids);
}

TEST_F(SupervisorTest, RefusesWhatItsQueueCannotHold) {
  options_.pool.queue_capacity = 3;
  options_.pool.job_timeout = kPatience;
  Start();
  std::vector<std::shared_ptr<Pending>> sent;
  for (int i = 0; i < 5; ++i) sent.push_back(Send("x", i < 2 ? "slow:300ms" : ""));
  EXPECT_EQ(Send("one too many"), nullptr);
  EXPECT_EQ(refusal_.code, ErrorCode::kOverloaded);
  for (const auto& pending : sent) {
    ASSERT_NE(pending, nullptr);
    EXPECT_TRUE(RunUntil([&] { return pending->ok("x"); }));
  }
}

TEST_F(SupervisorTest, LetsNoRequestWaitForEver) {
  options_.pool.workers = 1;
  options_.pool.queue_max_age = milliseconds(100);
  options_.pool.job_timeout = milliseconds(1000);
  Start();
  const auto slow = Send("slow", "hang");
  const auto waiting = Send("waiting");
  ASSERT_TRUE(RunUntil([&] { return waiting->outcome.has_value(); }));
  ASSERT_FALSE(*waiting->outcome);
  EXPECT_EQ(waiting->outcome->error().code, ErrorCode::kOverloaded);
  ASSERT_TRUE(RunUntil([&] { return slow->outcome.has_value(); }));
}

TEST_F(SupervisorTest, CountsTheAgeOfARetryFromItsRetry) {
  options_.pool.workers = 1;
  options_.pool.queue_max_age = options_.pool.job_timeout * 8 / 10;
  Start();
  EXPECT_EQ(Text("hello", "hang"), "olleh");
}

// --- hostile workers -------------------------------------------------------------------------

TEST_F(SupervisorTest, KillsAWorkerThatSaysWhatNobodyAskedFor) {
  Start();
  for (const char* text : {"say-heap-done", "say-ready", "say-forked"}) {
    const auto before = totals().worker_exits.garbage;
    const auto answer = Ask(text);
    ASSERT_FALSE(answer) << text;
    EXPECT_EQ(answer.error().code, ErrorCode::kUnsupported) << text;
    EXPECT_EQ(totals().worker_exits.garbage, before + 2) << text;
  }
  EXPECT_EQ(Text("hello"), "olleh");
}

TEST_F(SupervisorTest, BoundsWhatAWorkerSaysAboutAnError) {
  Start();
  const auto answer = Ask("long-error");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(answer.error().message, std::string(ipc::kMaxTextBytes, 'e'));
}

// --- recycling -------------------------------------------------------------------------------

TEST_F(SupervisorTest, ReplacesAWorkerBeforeItLeaves) {
  options_.pool.workers = 1;
  options_.monitor.recycle.max_requests = 10;
  Start();
  std::set<pid_t> seen;
  std::size_t most = 0;
  while (seen.size() < 8) {  // it serves on while its successor comes up, so not just 80 requests
    seen.insert(std::stoi(Text("whoami")));
    EXPECT_GE(supervisor_->pool().ready_workers(), 1u);
    most = std::max(most, supervisor_->pool().workers().size());
  }
  EXPECT_LE(most, 2u);
  EXPECT_GE(totals().worker_exits.recycled, 6u) << "the last two may not have left yet";
  EXPECT_EQ(totals().retried, 0u);
}

TEST_F(SupervisorTest, RetiresAWorkerThatHoldsTooManyDescriptors) {
  options_.monitor.sample_requests = 1;
  Start();
  for (int i = 0; i < 30; ++i) EXPECT_EQ(Text("hello", "fdleak:2"), "olleh");
  EXPECT_TRUE(RunUntil([&] { return totals().worker_exits.over_budget >= 1; })) << events_;
  EXPECT_EQ(totals().failed, 0u);
}

TEST_F(SupervisorTest, RetiresAWorkerOverItsMemoryBudget) {
  if (HOLO_SANITIZER) GTEST_SKIP() << "a sanitizer's shadow memory is no measure";
  options_.monitor.sample_requests = 1;
  options_.monitor.recycle.max_uss_bytes = 24u << 20;
  Start();
  for (int i = 0; i < 30; ++i) EXPECT_EQ(Text("hello", "leak:4MB"), "olleh");
  EXPECT_TRUE(RunUntil([&] { return totals().worker_exits.over_budget >= 1; })) << events_;
  for (const auto& process : supervisor_->Status().processes)
    EXPECT_LE(process.uss_bytes, 40u << 20);
}

// --- short of memory -------------------------------------------------------------------------

// Always far over its budget: all that the governor does, one level a tick after `enter_after`.
Governor::Options Greedy(milliseconds enter_after) {
  Governor::Options governor;
  governor.emergency = 1e9;
  governor.enter_after = enter_after;
  governor.repeat_after = milliseconds(50);
  return governor;
}

TEST_F(SupervisorTest, ShortOfMemoryAWorkerLeavesBeforeItsSuccessorComes) {
  options_.budget_bytes = 1 << 20;
  options_.tick = milliseconds(20);
  options_.governor = Greedy(milliseconds(0));
  options_.governor.enter[Governor::kLevels - 1] = 1e9;  // no restart
  Start();
  std::size_t most = 0;
  EXPECT_TRUE(RunUntil([&] {
    most = std::max(most, supervisor_->pool().workers().size());
    return totals().worker_exits.over_budget >= 4;
  })) << events_;
  EXPECT_EQ(most, 2u);
  EXPECT_THAT(events_, testing::Not(HasSubstr("unloading"))) << "nothing has been idle for long";
}

TEST_F(SupervisorTest, ShortOfMemoryTheOldWeightsGoBeforeNewOnesAreLoaded) {
  options_.budget_bytes = 1 << 20;
  options_.tick = milliseconds(20);
  options_.pool.job_timeout = milliseconds(4000);
  options_.governor = Greedy(milliseconds(1000));
  before_ = ResourceAccount::Take();
  supervisor_ = Supervisor::Start(clock_, options_).value();
  const auto busy = Send("hello", "hang");  // before it refuses; a worker is busy for long
  ASSERT_NE(busy, nullptr);
  std::set<std::uint32_t> generations;
  EXPECT_TRUE(RunUntil([&] {
    std::set<std::uint32_t> now;
    for (const auto& worker : supervisor_->pool().workers()) now.insert(worker->generation);
    EXPECT_LE(now.size(), 1u) << "old and new ones at a time\n" << events_;
    generations.merge(now);
    return busy->outcome.has_value();
  })) << events_;
  EXPECT_TRUE(busy->ok("olleh"));
  EXPECT_GE(generations.size(), 2u) << events_;
}

TEST_F(SupervisorTest, TheKernelTakesAWorkerRatherThanTheZygote) {
  Start();
  const auto score = [](pid_t pid) {
    std::ifstream in(fmt::format("/proc/{}/oom_score_adj", pid));
    int value = 0;
    in >> value;
    return value;
  };
  for (const pid_t worker : WorkerPids())
    EXPECT_GT(score(worker), score(supervisor_->zygote()->pid()));
}

// --- deaths ----------------------------------------------------------------------------------

TEST_F(SupervisorTest, SurvivesTheDeathOfItsZygote) {
  Start();
  const pid_t zygote = supervisor_->zygote()->pid();
  const auto workers = WorkerPids();
  ::kill(zygote, SIGKILL);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Text("hello"), "olleh");
  ASSERT_TRUE(RunUntil(
      [&] { return supervisor_->zygote() != nullptr && supervisor_->zygote()->pid() != zygote; }));
  // The weights that the old workers share with nobody else any more are given up.
  EXPECT_TRUE(RunUntil([&] {
    const auto now = WorkerPids();
    return supervisor_->pool().ready_workers() == 2 &&
           std::ranges::none_of(workers, [&](pid_t pid) { return now.contains(pid); });
  })) << events_;
  EXPECT_EQ(totals().failed, 0u);
  EXPECT_EQ(totals().retried, 0u);
}

TEST_F(SupervisorTest, SurvivesTheDeathOfAllWorkersAtOnce) {
  Start();
  std::vector<std::shared_ptr<Pending>> sent;
  for (int i = 0; i < 8; ++i) sent.push_back(Send("hello", "slow:50ms"));
  RunUntil([&] { return supervisor_->pool().queue_length() == 6; });
  for (const pid_t pid : WorkerPids()) ::kill(pid, SIGKILL);
  for (const auto& pending : sent) {
    EXPECT_TRUE(RunUntil([&] { return pending->ok("olleh"); }));
  }
  EXPECT_EQ(totals().worker_exits.crashed, 2u);
}

TEST_F(SupervisorTest, TriesAgainAsOftenAsSomebodyElseKillsTheWorker) {
  Start();
  const auto pending = Send("hello", "!slow:300ms");
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(RunUntil([&] { return !PidsOf(WorkerState::kBusy).empty(); })) << i;
    const pid_t pid = PidsOf(WorkerState::kBusy).front();
    ::kill(pid, SIGKILL);
    ASSERT_TRUE(RunUntil([&] { return !WorkerPids().contains(pid); })) << i;
  }
  ASSERT_TRUE(RunUntil([&] { return pending->outcome.has_value(); }));
  EXPECT_TRUE(pending->ok("olleh")) << events_;
}

TEST_F(SupervisorTest, StopsTryingWhenTheRequestIsTooOld) {
  options_.pool.retry_for = milliseconds(1);
  Start();
  const auto pending = Send("hello", "!slow:400ms");
  const auto is_over = [&] { return pending->outcome.has_value(); };
  while (!is_over()) {  // a worker that has not read it yet does not count
    ASSERT_TRUE(RunUntil([&] { return is_over() || !PidsOf(WorkerState::kBusy).empty(); }));
    supervisor_->loop().Step(milliseconds(50));
    for (const pid_t pid : PidsOf(WorkerState::kBusy)) ::kill(pid, SIGKILL);
  }
  ASSERT_FALSE(*pending->outcome);
  EXPECT_EQ(pending->outcome->error().code, ErrorCode::kUnavailable);
}

TEST_F(SupervisorTest, SurvivesTheDeathOfEverythingManyTimes) {
  options_.zygote_restart.free_failures = 1000;
  Start();
  for (int round = 0; round < 20; ++round) {
    std::vector<std::shared_ptr<Pending>> sent;
    for (int i = 0; i < 4; ++i) sent.push_back(Send("hello"));
    ASSERT_THAT(sent, testing::Each(testing::NotNull())) << refusal_.message;
    if (supervisor_->zygote() != nullptr) ::kill(supervisor_->zygote()->pid(), SIGKILL);
    for (const pid_t pid : WorkerPids()) {
      if (pid != 0 && round % 2 == 0) ::kill(pid, SIGKILL);
    }
    for (const auto& pending : sent) {
      ASSERT_TRUE(RunUntil([&] { return pending->ok("olleh"); })) << events_;
    }
  }
  EXPECT_TRUE(RunUntil([&] { return supervisor_->pool().ready_workers() >= 2; }));
}

TEST_F(SupervisorTest, KillsAWorkerThatDoesNotComeUp) {
  options_.pool.start_timeout = kShortPatience;
  options_.zygote.arguments = {"--hang-starts", "1"};
  Start();
  EXPECT_THAT(events_, HasSubstr("not ready in time"));
  EXPECT_EQ(totals().worker_exits.crashed, 1u);
  EXPECT_EQ(Text("hello"), "olleh");
}

TEST_F(SupervisorTest, KillsAZygoteThatLoadsForEver) {
  const TestDir dir;
  options_.zygote_timeout = kShortPatience;
  options_.zygote.arguments = {"--hang-load", (dir.path() / "mark").string()};
  before_ = ResourceAccount::Take();
  supervisor_ = Supervisor::Start(clock_, options_).value();
  ASSERT_TRUE(RunUntil([&] { return supervisor_->pool().ready_workers() == 2; })) << events_;
  EXPECT_EQ(totals().zygote_restarts, 1u);
  EXPECT_EQ(Text("hello"), "olleh");
}

TEST_F(SupervisorTest, ReplacesAZygoteThatDoesNotForkAnyMore) {
  options_.pool.start_timeout = kShortPatience;
  Start();
  const pid_t stopped = supervisor_->zygote()->pid();
  ::kill(stopped, SIGSTOP);
  for (const pid_t pid : WorkerPids()) ::kill(pid, SIGKILL);
  ASSERT_TRUE(RunUntil([&] {
    return supervisor_->zygote()->pid() != stopped && supervisor_->pool().ready_workers() == 2;
  })) << events_;
  EXPECT_EQ(Text("hello"), "olleh");
}

TEST_F(SupervisorTest, BlamesNoRequestForTheDeathOfAWorkerThatHadNotReadIt) {
  options_.pool.queue_capacity = 200;
  options_.slots.max_slots = 200;
  Start();
  std::vector<std::shared_ptr<Pending>> sent;
  // Each worker is dying while it is given the next one.
  for (int i = 0; i < 100; ++i) sent.push_back(Send(fmt::format("{}", i), "!die-answered"));
  for (int i = 0; i < 100; ++i) {
    const auto& pending = sent[static_cast<std::size_t>(i)];
    ASSERT_TRUE(RunUntil([&] { return pending->outcome.has_value(); }));
    EXPECT_TRUE(pending->ok(Reversed(fmt::format("{}", i))));
  }
  EXPECT_THAT(events_, testing::Not(HasSubstr("refused")));
}

TEST_F(SupervisorTest, OutlastsAShortageOfDescriptors) {
  Start();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{3, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  ::kill(supervisor_->zygote()->pid(), SIGKILL);
  for (const pid_t pid : WorkerPids()) ::kill(pid, SIGKILL);
  EXPECT_FALSE(supervisor_->AcquireSlot(1));
  const bool failed = RunUntil([&] { return supervisor_->pool().workers().empty(); });
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(failed);
  ASSERT_TRUE(RunUntil([&] { return supervisor_->pool().ready_workers() == 2; })) << events_;
  EXPECT_EQ(Text("hello"), "olleh");
}

TEST_F(SupervisorTest, SaysWhenItsZygoteCannotStart) {
  options_.zygote.arguments = {"--die", "4"};
  supervisor_ = Supervisor::Start(clock_, options_).value();
  before_ = ResourceAccount::Take();
  const auto ready = supervisor_->WaitUntilReady(kPatience);
  ASSERT_FALSE(ready);
  EXPECT_EQ(ready.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(events_, HasSubstr("exit code 4"));
  supervisor_.reset();
}

TEST_F(SupervisorTest, CannotStartWhatIsNotThere) {
  options_.zygote.program = "/nonexistent/zygote";
  const auto started = Supervisor::Start(clock_, options_);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kNotFound);
}

TEST_F(SupervisorTest, ReloadsWithoutLosingARequest) {
  Start();
  const auto before = WorkerPids();
  const pid_t zygote = supervisor_->zygote()->pid();
  supervisor_->Reload("test");
  ASSERT_TRUE(RunUntil([&] {
    EXPECT_EQ(Text("hello"), "olleh");
    const auto now = WorkerPids();
    return std::ranges::none_of(before, [&](pid_t pid) { return now.contains(pid); });
  }));
  EXPECT_NE(supervisor_->zygote()->pid(), zygote);
  EXPECT_EQ(totals().failed + totals().retried, 0u);
  EXPECT_EQ(totals().zygote_restarts, 0u) << "a reload is no failure";
}

// It died with its successor up already: the next death has a recovery of its own.
TEST_F(SupervisorTest, CountsNoRecoveryOfAWorkerThatNeededNoSuccessor) {
  options_.pool.job_timeout = kPatience;
  Start();
  const auto busy = Send("hello", "hang");
  ASSERT_TRUE(RunUntil([&] { return PidsOf(WorkerState::kBusy).size() == 1; }));
  const pid_t retiring = PidsOf(WorkerState::kBusy).front();
  supervisor_->Reload("test");
  const auto both_are_idle = [&] { return PidsOf(WorkerState::kIdle).size() == 2; };
  ASSERT_TRUE(RunUntil([&] { return both_are_idle(); }));
  ASSERT_EQ(::kill(retiring, SIGKILL), 0);
  ASSERT_TRUE(RunUntil([&] { return busy->ok("olleh") && both_are_idle(); }));
  const SteadyTime killed_at = supervisor_->loop().Now();
  ASSERT_EQ(::kill(PidsOf(WorkerState::kIdle).front(), SIGKILL), 0);
  const auto& recovery = supervisor_->pool().stats().recovery;
  ASSERT_TRUE(RunUntil([&] { return recovery.count() > 0; }));
  EXPECT_LE(recovery.max(), supervisor_->loop().Now() - killed_at);
}

TEST_F(SupervisorTest, ReloadsOnceMoreWhenAskedWhileItReloads) {
  Start();
  for (int i = 0; i < 5; ++i) supervisor_->Reload("test");
  ASSERT_TRUE(RunUntil([&] { return events_.find("zygote 3 ") != std::string::npos; })) << events_;
  EXPECT_EQ(events_.find("zygote 4 "), std::string::npos);
  EXPECT_EQ(Text("hello"), "olleh");
}

TEST_F(SupervisorTest, LoadsAModelThatARequestNeeds) {
  options_.models = Bit(ipc::Complexity::kLite);
  Start();
  const auto answer = Ask("complexity", "", ipc::Complexity::kHeavy);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->bytes, "3");
}

TEST_F(SupervisorTest, LoadsTheModelThatDrawsAMaskWhenItIsFirstAskedFor) {
  Start();
  auto lease = supervisor_->AcquireSlot(2).value();
  std::memcpy(lease.slot().bytes().data(), "ab", 2);
  ASSERT_TRUE(lease.slot().Seal());
  std::optional<Result<Answer>> outcome;
  ASSERT_TRUE(supervisor_->Submit({.segmentation = true}, std::move(lease),
                                  [&](Result<Answer> answer) { outcome = std::move(answer); }));
  ASSERT_TRUE(RunUntil([&] { return outcome.has_value(); }));
  ASSERT_TRUE(*outcome) << outcome->error().message;
  EXPECT_EQ((*outcome)->bytes, "ba");
  const std::uint32_t mask = ipc::ModelBit(ipc::Complexity::kFull, /*segmentation=*/true);
  EXPECT_EQ(supervisor_->zygote()->models(), options_.models | mask);
}

TEST_F(SupervisorTest, RefusesWhatNeedsAModelThatCannotBeLoadedAndKeepsTheOthers) {
  const auto heavy = ipc::Complexity::kHeavy;
  options_.zygote.arguments = {"--lacks", fmt::to_string(Bit(heavy))};
  Start();
  const auto workers = WorkerPids();
  const auto answer = Ask("hello", "", heavy);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(Send("hello", "", heavy), nullptr) << "without another try";
  EXPECT_EQ(Text("hello"), "olleh");
  EXPECT_EQ(WorkerPids(), workers);
  EXPECT_EQ(totals().zygote_restarts, 1u);
}

TEST_F(SupervisorTest, LoadsNothingAnyMoreWhenItStops) {
  Start();
  supervisor_->Reload("test");
  EXPECT_EQ(supervisor_->Stop(kPatience), "0 leaked");
  supervisor_->Reload("late");
  EXPECT_EQ(ChildrenOfThisProcess().size(), before_.children);
}

TEST_F(SupervisorTest, FinishesWhatItAcceptedWhenItStops) {
  options_.pool.job_timeout = kPatience;
  Start();
  std::vector<std::shared_ptr<Pending>> sent;
  for (int i = 0; i < 6; ++i) sent.push_back(Send("hello", "slow:50ms"));
  EXPECT_EQ(supervisor_->Stop(kPatience), "0 leaked");
  for (const auto& pending : sent) EXPECT_TRUE(pending->ok("olleh"));
  EXPECT_EQ(Send("late"), nullptr);
  EXPECT_EQ(refusal_.code, ErrorCode::kUnavailable);
}

TEST_F(SupervisorTest, StopsAlsoWhenAWorkerHangs) {
  options_.pool.job_timeout = kPatience;
  Start();
  const auto hung = Send("hello", "hang");
  const auto other = Send("hello");
  EXPECT_EQ(supervisor_->Stop(milliseconds(300)), "0 leaked");
  ASSERT_TRUE(hung->outcome.has_value());
  EXPECT_EQ(hung->outcome->error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(other->ok("olleh"));
}

// --- the sandbox -----------------------------------------------------------------------------

TEST_F(SupervisorTest, WorkersCanOpenNothing) {
  Start();
  EXPECT_EQ(Text("open /etc/passwd"), "EACCES");
  EXPECT_EQ(Text("open /proc/self/maps"), "EACCES");
  EXPECT_EQ(Text("open /proc/self/fd/99"), "EBADF");
  EXPECT_EQ(Text("open /proc/self/fd/2").substr(0, 3), "ok ") << "the one exception";
}

TEST_F(SupervisorTest, WorkersHaveNoDescriptorsOfOthers) {
  Start();
  // Three standard streams, the channel, and the slot of this request.
  EXPECT_EQ(Text("fds"), "5");
}

TEST_F(SupervisorTest, WorkersCannotSignalOthers) {
  Start();
  EXPECT_EQ(Text(fmt::format("kill {}", ::getpid())), "EPERM");
  EXPECT_EQ(Text("kill -1"), "EPERM");
  EXPECT_EQ(Text(fmt::format("own {}", ::getpid())), "EPERM");
  EXPECT_EQ(Text("async"), "EPERM");
}

TEST_F(SupervisorTest, WorkersHaveNeitherOurInputNorOurOutput) {
  Start();
  EXPECT_EQ(Text("stdio"), "empty stderr");
}

TEST_F(SupervisorTest, WorkersThatReachForTheNetworkOrForkAreKilled) {
  Start();
  for (const char* text : {"socket", "fork"}) {
    const auto answer = Ask(text);
    ASSERT_FALSE(answer) << text;
    EXPECT_THAT(events_, HasSubstr("signal 31")) << "SIGSYS";
  }
  EXPECT_EQ(totals().worker_exits.crashed, 4u);
}

TEST_F(SupervisorTest, ARequestThatNeedsMoreMemoryThanAllowedIsRefusedByTheWorkerItself) {
  if (HOLO_SANITIZER) GTEST_SKIP() << "no memory limit under a sanitizer";
  options_.zygote.arguments = {"--memory-mb", "128"};
  Start();
  const auto answer = Ask("memory 400000000");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kOverloaded);
  EXPECT_EQ(totals().worker_exits.crashed, 0u);
  EXPECT_EQ(Text("hello"), "olleh");
}

TEST_F(SupervisorTest, GivesItsStatusThroughItsDoor) {
  Start();
  EXPECT_EQ(Text("hello"), "olleh");
  const ServiceStatus status = supervisor_->Status();
  EXPECT_EQ(status.processes.size(), 4u);
  EXPECT_EQ(status.totals.ok, 1u);
  EXPECT_EQ(status.memory_level, "normal");
}

}  // namespace
}  // namespace holostat::runtime
