// A library of its own, loaded by dlopen: its malloc must be the program's.
#include <cstdlib>
#include <new>

extern "C" __attribute__((visibility("default"))) void CallTheHeap(std::size_t bytes) {
  void* volatile block = std::malloc(bytes);
  std::free(block);
  void* volatile object = ::operator new(bytes);
  ::operator delete(object);
}
