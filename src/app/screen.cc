#include "app/screen.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace holostat::app {
namespace {

// xterm's control sequences, which terminals of today share.
#define HOLO_CSI "\x1b["
constexpr std::string_view kEnter = HOLO_CSI "?1049h" HOLO_CSI "?25l";  // other screen, no cursor
constexpr std::string_view kLeave = HOLO_CSI "0m" HOLO_CSI "?25h" HOLO_CSI "?1049l";
constexpr std::string_view kHome = HOLO_CSI "H";
constexpr std::string_view kEraseRestOfLine = HOLO_CSI "K";
constexpr std::string_view kEraseRest = HOLO_CSI "J";
constexpr std::string_view kPlain = HOLO_CSI "0m";
constexpr std::string_view kBold = HOLO_CSI "1m";
constexpr std::string_view kReverse = HOLO_CSI "7m";
constexpr std::string_view kYellow = HOLO_CSI "1;33m";
constexpr std::string_view kRed = HOLO_CSI "1;31m";
#undef HOLO_CSI

constexpr int kHeldTerminalMs = 1000;

// A terminal that is gone tells by SIGHUP, so errors are ignored.
void Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      pollfd wait{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      if (::poll(&wait, 1, kHeldTerminalMs) <= 0) return;  // Ctrl-S costs a picture
    } else if (count == 0 || errno != EINTR) {
      return;
    }
  }
}

bool WantsColour() {
  const char* value = std::getenv("NO_COLOR");
  return value == nullptr || *value == '\0';
}

std::string_view Style(Emphasis emphasis) {
  switch (emphasis) {
    case Emphasis::kTitle:
      return kBold;
    case Emphasis::kHeader:
      return kReverse;
    case Emphasis::kWarning:
      return WantsColour() ? kYellow : kBold;
    case Emphasis::kAlarm:
      return WantsColour() ? kRed : kBold;
    case Emphasis::kNone:
      break;
  }
  return "";
}

sigset_t WatchedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH}) {
    sigaddset(&signals, number);
  }
  return signals;
}

}  // namespace

bool Screen::IsPossible() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

Result<std::unique_ptr<Screen>> Screen::Create() {
  const sigset_t signals = WatchedSignals();
  UniqueFd fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot watch for signals: {}", std::strerror(errno)));
  }
  std::unique_ptr<Screen> screen(new Screen(std::move(fd)));
  ::pthread_sigmask(SIG_BLOCK, &signals, &screen->old_mask_);
  screen->Enter();
  return screen;
}

Screen::~Screen() {
  Leave();
  ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void Screen::Enter() {
  has_keyboard_ = ::isatty(STDIN_FILENO) == 1 && ::tcgetattr(STDIN_FILENO, &old_terminal_) == 0;
  if (has_keyboard_) {
    termios keys = old_terminal_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &keys);
  }
  Write(kEnter);
}

void Screen::Leave() {
  Write(kLeave);
  if (has_keyboard_) ::tcsetattr(STDIN_FILENO, TCSANOW, &old_terminal_);
}

Screen::Size Screen::size() {
  winsize window{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return {};
  return {.columns = window.ws_col, .rows = window.ws_row};
}

void Screen::Draw(std::span<const ViewLine> lines) {
  std::string picture(kHome);
  for (const ViewLine& line : lines) {
    // Erased first: after a character in the last column, erasing would take that character.
    picture += kEraseRestOfLine;
    picture += Style(line.emphasis);
    picture += line.text;
    picture += kPlain;
    picture += "\r\n";
  }
  picture += kEraseRest;
  Write(picture);
}

// As a shell's user expects of Ctrl-Z: the shell gets its terminal, and we come back with "fg".
void Screen::Stop() {
  Leave();
  ::kill(::getpid(), SIGSTOP);
  Enter();
}

Screen::Event Screen::OnSignal() {
  signalfd_siginfo info{};
  if (::read(signals_.get(), &info, sizeof info) != sizeof info) return Event::kRedraw;
  switch (info.ssi_signo) {
    case SIGWINCH:
      return Event::kRedraw;
    case SIGTSTP:
      Stop();
      return Event::kRedraw;
    case SIGINT:
      return Event::kLeave;
    default:
      fatal_signal_ = static_cast<int>(info.ssi_signo);
      return Event::kLeave;
  }
}

Screen::Event Screen::OnKey() {
  std::array<char, 64> keys{};
  const ssize_t count = ::read(STDIN_FILENO, keys.data(), keys.size());
  if (count <= 0) {
    keyboard_ended_ = true;  // the view goes on, but nothing wakes it any more
    return Event::kRedraw;
  }
  const std::string_view pressed(keys.data(), static_cast<std::size_t>(count));
  return pressed.find_first_of("qQ") != pressed.npos ? Event::kLeave : Event::kRedraw;
}

Screen::Event Screen::Wait(std::chrono::milliseconds timeout) {
  const bool listens = has_keyboard_ && !keyboard_ended_;
  std::array<pollfd, 2> waits{
      pollfd{.fd = signals_.get(), .events = POLLIN, .revents = 0},
      pollfd{.fd = listens ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0}};
  const int ready = ::poll(waits.data(), waits.size(), static_cast<int>(timeout.count()));
  if (ready <= 0) return Event::kTime;
  return waits[0].revents != 0 ? OnSignal() : OnKey();
}

}  // namespace holostat::app
