#include "app/soak_driver.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <optional>

#include "ipc/hash.h"

namespace holostat::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kReferenceTimeout(60000);
constexpr std::size_t kNotedFaults = 20;

std::uint64_t HashOf(const std::string& bytes) {
  return ipc::Hash64(std::as_bytes(std::span(bytes)));
}

}  // namespace

SoakDriver::SoakDriver(runtime::Supervisor& supervisor, ChaosPlan chaos, Options options)
    : supervisor_(supervisor), chaos_(std::move(chaos)), options_(std::move(options)) {}

Result<void> SoakDriver::Submit(std::size_t picture, const std::string& fault,
                                ipc::Complexity complexity, runtime::Completion complete) {
  const auto& bytes = options_.pictures[picture].bytes;
  auto lease = HOLO_TRY(supervisor_.AcquireSlot(bytes.size()));
  std::memcpy(lease.slot().bytes().data(), bytes.data(), bytes.size());
  HOLO_TRY(lease.slot().Seal());
  ipc::Job job;
  job.complexity = complexity;
  job.fault = fault;
  HOLO_TRY(supervisor_.Submit(job, std::move(lease), std::move(complete)));
  return {};
}

Result<void> SoakDriver::TakeReferences(const std::vector<ipc::Complexity>& complexities) {
  for (const ipc::Complexity complexity : complexities) {
    for (std::size_t i = 0; i < options_.pictures.size(); ++i) {
      // Shared: after a timeout the answer may still come.
      const auto answer = std::make_shared<std::optional<Result<runtime::Answer>>>();
      HOLO_TRY(Submit(i, "", complexity,
                      [answer](Result<runtime::Answer> given) { *answer = std::move(given); }));
      const SteadyTime deadline = supervisor_.loop().Now() + kReferenceTimeout;
      while (!*answer) {
        if (supervisor_.loop().Now() >= deadline)
          return Fail(ErrorCode::kTimeout, fmt::format("{}: no answer", options_.pictures[i].name));
        supervisor_.loop().Step(milliseconds(100));
      }
      const auto given = HOLO_TRY_CONTEXT(std::move(**answer), options_.pictures[i].name);
      references_[{i, complexity}] = {HashOf(given.bytes), given.bytes.size()};
    }
  }
  return {};
}

void SoakDriver::Fill() {
  while (!stopping_ && !Finished() && in_flight_ < options_.in_flight) {
    const std::size_t picture = next_picture_;
    const auto sent = Submit(
        picture, chaos_.Next(), options_.complexity,
        [this, picture](const Result<runtime::Answer>& answer) { OnAnswer(picture, answer); });
    if (!sent && sent.error().code == ErrorCode::kOverloaded) {
      ++counts_.turned_away;
      return;  // the next Step may make room
    }
    ++counts_.requests;
    if (!sent) {  // refused for good: a picture that is taken for poison
      ++counts_.lost;
      Note(fmt::format("refused {}: {}", options_.pictures[picture].name, sent.error().message));
      continue;
    }
    ++in_flight_;
    next_picture_ = (picture + 1) % options_.pictures.size();
  }
}

void SoakDriver::OnAnswer(std::size_t picture, const Result<runtime::Answer>& answer) {
  --in_flight_;
  const std::string& name = options_.pictures[picture].name;
  if (!answer) {
    ++counts_.lost;
    Note(fmt::format("lost {}: {}", name, answer.error().message));
    return;
  }
  if (answer->complexity != options_.complexity) ++counts_.lighter;
  const auto reference = references_.find({picture, answer->complexity});
  if (reference == references_.end() || reference->second.size != answer->bytes.size() ||
      reference->second.hash != HashOf(answer->bytes)) {
    ++counts_.wrong;
    Note(fmt::format("wrong answer for {}: {} bytes", name, answer->bytes.size()));
    return;
  }
  ++counts_.ok;
}

void SoakDriver::Note(std::string fault) {
  if (first_faults_.size() < kNotedFaults) first_faults_.push_back(std::move(fault));
}

}  // namespace holostat::app
