#include "server/live_session.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/problem.h"

namespace holostat::server {
namespace {

constexpr std::uint8_t kFrameAnswer = 1;  // the kind of a binary message of ours

double Milliseconds(std::chrono::microseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

// Of text that may be anybody's.
std::string Quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

LiveSession::LiveSession(std::uint64_t id, runtime::Supervisor& supervisor, HttpStats& stats,
                         const LiveOptions& options, Outlet outlet)
    : id_(id),
      supervisor_(supervisor),
      stats_(stats),
      options_(options),
      outlet_(std::move(outlet)) {
  ++stats_.live_sessions;
  ++stats_.live_sessions_total;
}

LiveSession::~LiveSession() {
  if (at_work_) supervisor_.Cancel(*at_work_);
  supervisor_.EndSession(id_);
  --stats_.live_sessions;
}

void LiveSession::Begin() {
  Send(
      fmt::format(R"({{"type":"ready","session":"{:016x}","options":{}}})", id_, ToJson(options_)));
}

void LiveSession::OnText(std::string_view text) {
  if (closed_) return;
  const auto command = ParseLiveCommand(text, options_);
  if (!command) return Close(LiveClose::kPolicy, command.error().message);
  if (command->kind == LiveCommand::Kind::kReset) {
    reset_next_ = true;
    return;
  }
  options_ = command->options;
  Begin();
}

void LiveSession::OnFrame(std::vector<std::byte>& message) {
  if (closed_) return;
  if (const auto frame = ParseLiveFrame(message); !frame)
    return Close(LiveClose::kPolicy, frame.error().message);
  if (has_waiting_) Drop();
  waiting_.swap(message);
  has_waiting_ = true;
  SubmitNext();
}

void LiveSession::OnSent() {
  if (unsent_ > 0) --unsent_;
  SubmitNext();
}

void LiveSession::SubmitNext() {
  if (!has_waiting_ || at_work_ || unsent_ > 0 || closed_) return;
  has_waiting_ = false;
  const auto frame = ParseLiveFrame(waiting_);
  if (!frame) return;  // it was parsed when it came
  const auto request = Submit(*frame);
  if (!request) return OnFault(frame->sequence, request.error());
  at_work_ = *request;
  reset_next_ = false;
}

Result<std::uint64_t> LiveSession::Submit(const LiveFrame& frame) {
  auto lease = HOLO_TRY(supervisor_.AcquireSlot(frame.picture.size()));
  std::memcpy(lease.slot().bytes().data(), frame.picture.data(), frame.picture.size());
  HOLO_TRY(lease.slot().Seal());
  const std::int64_t timestamp_us = frame.timestamp.count();
  const ipc::Job job{
      .complexity = options_.complexity,
      .format = options_.binary ? ipc::AnswerFormat::kBinary : ipc::AnswerFormat::kJson,
      .refine_face = options_.refine_face,
      .segmentation = options_.segmentation,
      .people = options_.people,
      .input = frame.input,
      .width = frame.width,
      .height = frame.height,
      .session = id_,
      .frame = frames_++,
      .timestamp_us = timestamp_us,
      .reset = reset_next_};
  return supervisor_.Submit(job, std::move(lease),
                            [this, of = Asked{frame.sequence, timestamp_us, options_.binary}](
                                const Result<runtime::Answer>& answer) { OnAnswer(of, answer); });
}

std::string LiveSession::FrameBytes(const Asked& of, std::uint64_t dropped,
                                    const runtime::Answer& answer) {
  std::string bytes;
  bytes.reserve(kLiveAnswerHeaderBytes + answer.bytes.size());
  const auto put = [&bytes](auto value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(kLiveVersion);
  put(kFrameAnswer);
  put(std::uint16_t{0});
  put(of.sequence);
  put(of.timestamp_us);
  put(dropped);
  for (const auto time :
       {answer.times.queue, answer.times.decode, answer.times.inference, answer.times.encode})
    put(static_cast<float>(Milliseconds(time)));
  return bytes + answer.bytes;
}

std::string LiveSession::FrameText(const Asked& of, std::uint64_t dropped,
                                   const runtime::Answer& answer) {
  const runtime::StageTimes& times = answer.times;
  return fmt::format(
      R"({{"type":"frame","sequence":{},"timestamp_ms":{:.3f},"dropped":{},)"
      R"("timing_ms":{{"queue":{:.3f},"decode":{:.3f},"infer":{:.3f},"encode":{:.3f}}},"frame":{}}})",
      of.sequence, static_cast<double>(of.timestamp_us) / 1000, dropped, Milliseconds(times.queue),
      Milliseconds(times.decode), Milliseconds(times.inference), Milliseconds(times.encode),
      answer.bytes);
}

void LiveSession::OnAnswer(const Asked& of, const Result<runtime::Answer>& answer) {
  at_work_.reset();
  ++stats_.live_frames;
  if (!answer) {
    OnFault(of.sequence, answer.error());
  } else {
    faulty_ = 0;
    CountTimes(answer->times);
    NoticeWorker(answer->worker_id);
    Send(of.binary ? FrameBytes(of, dropped_, *answer) : FrameText(of, dropped_, *answer),
         of.binary);
  }
  SubmitNext();
}

// What the worker before it knew of this session is gone with it.
void LiveSession::NoticeWorker(std::uint32_t worker_id) {
  const std::uint32_t before = std::exchange(worker_id_, worker_id);
  if (before == 0 || before == worker_id) return;
  Send(R"({"type":"notice","reason":"worker_replaced",)"
       R"("detail":"the worker of this session is gone; tracking began anew with this frame"})");
}

void LiveSession::CountTimes(const runtime::StageTimes& times) {
  stats_.queue.Record(times.queue);
  stats_.decode.Record(times.decode);
  stats_.inference.Record(times.inference);
  stats_.encode.Record(times.encode);
}

void LiveSession::OnFault(std::uint32_t sequence, const Error& error) {
  const Problem problem = ProblemOf(error);
  Send(fmt::format(R"({{"type":"error","status":{},"title":{},"detail":{},"sequence":{}}})",
                   problem.status, Quoted(ReasonPhrase(problem.status)), Quoted(problem.detail),
                   sequence));
  const bool is_of_client = problem.status < 500;
  if (is_of_client && ++faulty_ >= kMaxFaultyFrames)
    Close(LiveClose::kPolicy, fmt::format("{} frames in a row failed", faulty_));
}

void LiveSession::Drop() {
  ++dropped_;
  ++stats_.live_dropped;
}

void LiveSession::Send(std::string bytes, bool is_binary) {
  if (closed_) return;
  ++unsent_;
  outlet_.send({std::move(bytes), is_binary});
}

void LiveSession::Close(LiveClose code, std::string_view why) {
  if (std::exchange(closed_, true)) return;
  outlet_.close(code, why);
}

}  // namespace holostat::server
