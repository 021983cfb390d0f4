#pragma once

#include <optional>
#include <span>
#include <string>

#include "ipc/message.h"
#include "server/exchange.h"
#include "server/problem.h"

namespace holostat::server {

// 415 for a declared type that is neither a picture's, nor a form's, nor says nothing (octets, what
// curl sends by itself, none); 400 for a form that another format than json is asked for with.
std::optional<Problem> CheckDeclaredType(const Exchange& exchange);
bool IsForm(const RequestHead& head);

// 415 for bytes that do not begin as a JPEG, PNG, WebP or GIF file. Nothing is decoded.
std::optional<Problem> CheckMagic(std::span<const std::byte> bytes);

// What a worker is asked for. REQUIRES: parameters of /v1/track.
ipc::Job JobOf(const Parameters& parameters);
std::string_view ContentTypeOf(ipc::AnswerFormat format);
std::string_view NameOf(ipc::Complexity complexity);  // "lite"
std::optional<ipc::Complexity> ComplexityNamed(std::string_view name);

}  // namespace holostat::server
