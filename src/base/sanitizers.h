#pragma once

// HOLO_SANITIZER is 1 where AddressSanitizer or ThreadSanitizer owns the heap and maps terabytes of
// address space, else 0.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HOLO_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HOLO_SANITIZER 1
#endif
#endif
#ifndef HOLO_SANITIZER
#define HOLO_SANITIZER 0
#endif
