#include "ipc/message.h"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace holostat::ipc {
namespace {

// --- what is on the wire: to add a message, add it to the variant and give it a line here --------

template <class Enum>
constexpr Enum kLastOf{};  // the valid values of an enum are 1 to this
template <>
constexpr auto kLastOf<Complexity> = Complexity::kHeavy;
template <>
constexpr auto kLastOf<AnswerFormat> = AnswerFormat::kBinary;
template <>
constexpr auto kLastOf<InputKind> = InputKind::kRgba8;
template <>
constexpr auto kLastOf<HeapCommand::Action> = HeapCommand::Action::kDump;

// A byte that Decode accepts within bounds only.
template <class Owner>
struct Bounded {
  std::uint8_t Owner::*member;
  std::uint8_t min, max;
};

template <class Owner>
constexpr Bounded<Owner> OptionalErrorCode(std::uint8_t Owner::*member) {
  return {member, 0, static_cast<std::uint8_t>(ErrorCode::kInternal)};
}

// A message's number and its fields in their order.
template <class... Fields>
struct Layout {
  constexpr explicit Layout(std::uint16_t number, Fields... of) : type(number), fields(of...) {}
  std::uint16_t type;  // never changes its meaning: a new layout of a message is a new number
  std::tuple<Fields...> fields;
};

template <class T>
constexpr auto kLayout = nullptr;
template <>
constexpr auto kLayout<ZygoteReady> = Layout(1, &ZygoteReady::pid, &ZygoteReady::models,
                                             &ZygoteReady::load_ms, &ZygoteReady::heap_bytes);
template <>
constexpr auto kLayout<ForkWorker> = Layout(2, &ForkWorker::worker_id, &ForkWorker::answer_bytes,
                                            &ForkWorker::fault);
template <>
constexpr auto kLayout<WorkerForked> = Layout(3, &WorkerForked::worker_id, &WorkerForked::pid,
                                              &WorkerForked::error_number);
template <>
constexpr auto kLayout<WorkerReady> = Layout(4, &WorkerReady::worker_id, &WorkerReady::pid);
template <>
constexpr auto kLayout<Job> = Layout(5, &Job::request_id, &Job::attempt, &Job::request_bytes,
                                     &Job::complexity, &Job::format, &Job::refine_face,
                                     &Job::segmentation, &Job::people, &Job::input, &Job::width,
                                     &Job::height, &Job::session, &Job::frame, &Job::timestamp_us,
                                     &Job::reset, &Job::fault);
template <>
constexpr auto kLayout<JobDone> = Layout(6, &JobDone::request_id, &JobDone::attempt,
                                         OptionalErrorCode(&JobDone::error), &JobDone::answer_bytes,
                                         &JobDone::answer_hash, &JobDone::decode_us,
                                         &JobDone::inference_us, &JobDone::encode_us,
                                         &JobDone::heap_bytes);
template <>
constexpr auto kLayout<Trim> = Layout(7);
template <>
constexpr auto kLayout<HeapCommand> = Layout(8, &HeapCommand::command_id, &HeapCommand::action,
                                             Bounded<HeapCommand>{&HeapCommand::sample_log2,
                                                                  kMinSampleLog2, kMaxSampleLog2});
template <>
constexpr auto kLayout<HeapDone> = Layout(9, &HeapDone::command_id,
                                          OptionalErrorCode(&HeapDone::error), &HeapDone::text);
template <>
constexpr auto kLayout<Stop> = Layout(10);

// --- bytes ---------------------------------------------------------------------------------------

class Writer {
 public:
  explicit Writer(std::span<std::byte> out) : out_(out) {}

  std::size_t written() const { return at_; }

  template <std::integral T>
  void Put(T value) {
    const auto bits = static_cast<std::uint64_t>(value);
    for (std::size_t k = 0; k < sizeof value; ++k)
      out_[at_++] = static_cast<std::byte>(bits >> (8 * k));
  }

  template <class T>
  requires std::is_enum_v<T>
  void Put(T value) { Put(static_cast<std::underlying_type_t<T>>(value)); }

  void Put(std::string_view text) {
    text = text.substr(0, kMaxTextBytes);
    Put(static_cast<std::uint16_t>(text.size()));
    if (!text.empty()) std::memcpy(&out_[at_], text.data(), text.size());
    at_ += text.size();
  }

 private:
  std::span<std::byte> out_;
  std::size_t at_ = 0;
};

// Each Get is false where the bytes hold no such value; nothing more may be read then.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }

  template <std::integral T>
  bool Get(T& value) {
    if (rest_.size() < sizeof value) return false;
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < sizeof value; ++k) bits |= std::uint64_t{Octet(k)} << (8 * k);
    value = static_cast<T>(bits);
    rest_ = rest_.subspan(sizeof value);
    return true;
  }

  bool Get(std::uint8_t& value, std::uint8_t min, std::uint8_t max) {
    return Get(value) && value >= min && value <= max;
  }

  bool Get(bool& value) {
    std::uint8_t bits = 0;
    if (!Get(bits, 0, 1)) return false;
    value = bits == 1;
    return true;
  }

  template <class T>
  requires std::is_enum_v<T>
  bool Get(T& value) {
    static_assert(sizeof(T) == 1 && kLastOf<T> != T{}, "name its last value above");
    std::uint8_t bits = 0;
    if (!Get(bits, 1, static_cast<std::uint8_t>(kLastOf<T>))) return false;
    value = static_cast<T>(bits);
    return true;
  }

  bool Get(std::string& text) {
    std::uint16_t size = 0;
    if (!Get(size) || size > kMaxTextBytes || size > rest_.size()) return false;
    // Bytes are what a char is made of: the one cast that the language allows here.
    text.assign(reinterpret_cast<const char*>(rest_.data()), size);
    rest_ = rest_.subspan(size);
    return true;
  }

 private:
  std::uint8_t Octet(std::size_t k) const { return std::to_integer<std::uint8_t>(rest_[k]); }

  std::span<const std::byte> rest_;
};

template <class T, class Value>
void PutField(Writer& writer, const T& message, Value T::*member) {
  writer.Put(message.*member);
}

template <class T>
void PutField(Writer& writer, const T& message, const Bounded<T>& field) {
  writer.Put(message.*field.member);
}

template <class T, class Value>
bool GetField(Reader& reader, T& message, Value T::*member) {
  return reader.Get(message.*member);
}

template <class T>
bool GetField(Reader& reader, T& message, const Bounded<T>& field) {
  return reader.Get(message.*field.member, field.min, field.max);
}

template <class T>
std::optional<Message> DecodeFields(Reader& reader) {
  T message;
  const bool complete =
      std::apply([&](const auto&... field) { return (GetField(reader, message, field) && ...); },
                 kLayout<T>.fields);
  if (!complete || !reader.empty()) return std::nullopt;
  return message;
}

// --- all messages --------------------------------------------------------------------------------

template <class T>
constexpr std::size_t kMaxBytesOf = sizeof(T);
template <>
constexpr std::size_t kMaxBytesOf<std::string> = sizeof(std::uint16_t) + kMaxTextBytes;

template <class T, class Value>
constexpr std::size_t MaxBytes(Value T::*) {
  return kMaxBytesOf<Value>;
}
template <class T>
constexpr std::size_t MaxBytes(const Bounded<T>&) {
  return 1;
}

constexpr std::size_t kHeaderBytes = sizeof kMagic + sizeof kVersion + sizeof(std::uint16_t);

template <class T>
constexpr bool FitsADatagram() {
  return std::apply([](const auto&... field) { return (kHeaderBytes + ... + MaxBytes(field)); },
                    kLayout<T>.fields) <= kMaxMessageBytes;
}

template <class Variant>
struct Alternatives;
template <class... T>
struct Alternatives<std::variant<T...>> {
  static constexpr bool WiresAreSound() {
    std::array types{kLayout<T>.type...};
    std::sort(types.begin(), types.end());
    return types.front() > 0 && std::adjacent_find(types.begin(), types.end()) == types.end() &&
           (FitsADatagram<T>() && ...);
  }

  static std::optional<Message> Decode(std::uint16_t type, Reader& reader) {
    std::optional<Message> message;
    static_cast<void>(
        ((type == kLayout<T>.type && (message = DecodeFields<T>(reader), true)) || ...));
    return message;
  }
};
static_assert(Alternatives<Message>::WiresAreSound(), "a number is 0 or used twice, or too long");

}  // namespace

std::size_t Encode(const Message& message, std::span<std::byte, kMaxMessageBytes> out) {
  Writer writer(out);
  writer.Put(kMagic);
  writer.Put(kVersion);
  std::visit(
      [&]<class T>(const T& alternative) {
        writer.Put(kLayout<T>.type);
        std::apply([&](const auto&... field) { (PutField(writer, alternative, field), ...); },
                   kLayout<T>.fields);
      },
      message);
  return writer.written();
}

Result<Message> Decode(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  std::uint32_t magic = 0;
  std::uint16_t version = 0;
  std::uint16_t type = 0;
  if (!reader.Get(magic) || !reader.Get(version) || !reader.Get(type) || magic != kMagic)
    return Fail(ErrorCode::kCorruptData, "no message");
  if (version != kVersion) return Fail(ErrorCode::kCorruptData, "a message of another version");
  auto message = Alternatives<Message>::Decode(type, reader);
  if (!message) return Fail(ErrorCode::kCorruptData, "a malformed message");
  return *std::move(message);
}

}  // namespace holostat::ipc
