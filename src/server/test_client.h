#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace holostat::server {

// A client for tests: sends exactly the bytes that it is told to, on a blocking socket.
class TestClient {
 public:
  struct Answer {
    int status = 0;  // 0: none came
    std::map<std::string, std::string> headers;
    std::string body;
    std::string Header(const std::string& name) const {
      const auto found = headers.find(name);
      return found == headers.end() ? "" : found->second;
    }
  };

  explicit TestClient(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      fd_.reset();
  }

  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void CloseSendingSide() { ::shutdown(fd_.get(), SHUT_WR); }
  void Close() { fd_.reset(); }
  void Reset() {
    const linger now{1, 0};
    ::setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    fd_.reset();
  }

  // The next answer; interim ones (1xx) count.
  Answer Receive(bool head_only = false) {
    Answer answer;
    std::size_t end;
    while ((end = bytes_.find("\r\n\r\n")) == std::string::npos) {
      if (!More()) return answer;
    }
    ReadHead(std::string_view(bytes_).substr(0, end + 2), answer);
    bytes_.erase(0, end + 4);
    const std::size_t length = std::strtoul(answer.Header("Content-Length").c_str(), nullptr, 10);
    while (!head_only && bytes_.size() < length && More()) {
    }
    if (!head_only) {
      answer.body = bytes_.substr(0, length);
      bytes_.erase(0, length);
    }
    return answer;
  }
  Answer Ask(std::string_view request) {
    Send(request);
    return Receive();
  }

  // Whether the server closes within `patience`.
  bool IsClosed(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
      pollfd wait{fd_.get(), POLLIN, 0};
      if (::poll(&wait, 1, 50) > 0 && !More()) return true;
    }
    return false;
  }
  const std::string& unread() const { return bytes_; }
  bool More() {
    char buffer[16384];
    pollfd wait{fd_.get(), POLLIN, 0};
    if (::poll(&wait, 1, 20000) <= 0) return false;
    const auto count = ::recv(fd_.get(), buffer, sizeof buffer, 0);
    if (count <= 0) return false;
    bytes_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

 private:
  static void ReadHead(std::string_view head, Answer& answer) {
    answer.status = std::atoi(std::string(head.substr(9, 3)).c_str());
    head.remove_prefix(head.find("\r\n") + 2);
    while (!head.empty()) {
      const std::string_view line = head.substr(0, head.find("\r\n"));
      head.remove_prefix(line.size() + 2);
      const std::size_t colon = line.find(": ");
      answer.headers[std::string(line.substr(0, colon))] = line.substr(colon + 2);
    }
  }

  UniqueFd fd_;
  std::string bytes_;
};

inline std::string Get(std::string_view path, std::string_view more = "") {
  return fmt::format("GET {} HTTP/1.1\r\nHost: test\r\n{}\r\n", path, more);
}
inline std::string Post(std::string_view path, std::string_view body, std::string_view more = "") {
  return fmt::format("POST {} HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n{}\r\n{}", path,
                     body.size(), more, body);
}

}  // namespace holostat::server
