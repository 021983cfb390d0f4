#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "holostat/result.h"

namespace holostat {

// Puts "context: " before the message of an error on its way up. Each layer does so once.
Error WithContext(Error error, std::string_view context);

namespace internal {
template <class T>
T Unwrap(Result<T>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}
}  // namespace internal

}  // namespace holostat

// The value of a Result, or return its error from the enclosing function:
//   auto graph = HOLO_TRY(ReadTflite(bytes));
//   HOLO_TRY(session->Run());
#define HOLO_TRY(expression)                                                 \
  __extension__({                                                            \
    auto holo_result = (expression);                                         \
    if (!holo_result) return tl::unexpected(std::move(holo_result).error()); \
    ::holostat::internal::Unwrap(std::move(holo_result));                    \
  })

// As HOLO_TRY, with `context` put before the error's message. `context` is evaluated on failure
// only.
#define HOLO_TRY_CONTEXT(expression, context)                                                    \
  __extension__({                                                                                \
    auto holo_result = (expression);                                                             \
    if (!holo_result)                                                                            \
      return tl::unexpected(::holostat::WithContext(std::move(holo_result).error(), (context))); \
    ::holostat::internal::Unwrap(std::move(holo_result));                                        \
  })
