#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "base/result.h"

namespace holostat::server {

// TLS 1.2 and later with the certificate (chain) and key of two PEM files. Errors: kNotFound (a
// file cannot be read), kCorruptData (what is in it, or they do not belong together).
Result<std::unique_ptr<boost::asio::ssl::context>> LoadTls(const std::string& certificate,
                                                           const std::string& key);

}  // namespace holostat::server
