// Writes the seeds of message_fuzz: a message of each type, into the folder named by the only
// argument.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ipc/message_samples.h"

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  for (const auto& sample : holostat::ipc::MessageSamples()) {
    std::ofstream out(std::filesystem::path(argv[1]) / sample.name, std::ios::binary);
    for (const std::byte b : Encoded(sample.message)) out.put(static_cast<char>(b));
    if (!out.flush()) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
