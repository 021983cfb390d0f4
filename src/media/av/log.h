#pragma once

#include <string>

namespace holostat::media::av {

// FFmpeg writes its log to stderr by default. From here on it says nothing; the last error that a
// thread's calls report is kept, as the reason in an Error's message. Once a process is enough.
void CaptureLog();

// The last error line since ForgetReason on this thread, without the name of the part of FFmpeg
// that it comes from; empty: none.
std::string Reason();
void ForgetReason();

}  // namespace holostat::media::av
