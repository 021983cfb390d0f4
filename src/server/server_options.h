#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace holostat::server {

// How a service meets its clients. Every number is a bound: what is over it is refused or closed.
struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: any free one, said by Server::port()

  // Who may ask. An address other than loopback needs a token or `insecure`.
  std::string token;  // Bearer; empty: nobody is asked for one
  bool insecure = false;
  std::string tls_certificate, tls_key;   // PEM files; both or none
  std::vector<std::string> cors_origins;  // exact ones, or "*"; none: no CORS headers

  // What a client may take.
  std::size_t max_connections = 1024;
  std::size_t max_connections_per_client = 1024;  // by address
  std::size_t max_body_bytes = 32u << 20;
  std::size_t max_header_bytes = 16u << 10;
  std::size_t max_multipart_files = 16;
  double requests_per_second = 0;  // for each client address; 0: no limit
  double request_burst = 20;
  std::size_t rate_clients = 4096;  // addresses that are remembered

  // How long a client may take.
  std::chrono::milliseconds header_timeout{10000};  // from the first byte of a request
  std::chrono::milliseconds body_timeout{30000};    // of the whole body
  std::chrono::milliseconds write_timeout{30000};   // of the whole answer
  std::chrono::milliseconds idle_timeout{60000};    // between two requests
  std::chrono::milliseconds drain_timeout{10000};   // of requests on the way when we stop

  // Live sessions and event streams.
  std::size_t max_live_sessions = 32;
  std::chrono::milliseconds live_idle_timeout{60000};
  std::size_t max_event_streams = 32;
};

}  // namespace holostat::server
