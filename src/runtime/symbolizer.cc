#include "runtime/symbolizer.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "runtime/function_name.h"

namespace holostat::runtime {
namespace {

struct EndDwfl {
  void operator()(Dwfl* dwfl) const { ::dwfl_end(dwfl); }
};
using DwflHandle = std::unique_ptr<Dwfl, EndDwfl>;

struct CloseStream {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// The scopes around a piece of code, innermost first, with what they were inlined into.
class Scopes {
 public:
  Scopes(Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Die* around = nullptr;
    // Of something inlined, getscopes goes on with the scopes of its definition; getscopes_die
    // with those of the place that it was inlined into.
    if (::dwarf_getscopes(unit, address, &around) > 0) {
      Dwarf_Die innermost = around[0];
      count_ = ::dwarf_getscopes_die(&innermost, &scopes_);
    }
    std::free(around);
  }
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;
  ~Scopes() { std::free(scopes_); }

  Dwarf_Die* begin() { return scopes_; }
  Dwarf_Die* end() { return count_ > 0 ? scopes_ + count_ : scopes_; }

 private:
  Dwarf_Die* scopes_ = nullptr;
  int count_ = 0;
};

// The linkage name holds namespaces and class, which the terse debugging information of a release
// leaves out elsewhere. Functions of this file alone have none in there, but in the symbols.
std::string NameOf(Dwarf_Die* function, const char* symbol) {
  Dwarf_Attribute attribute;
  const char* linkage = nullptr;
  if (::dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) != nullptr)
    linkage = ::dwarf_formstring(&attribute);
  for (const char* name : {linkage, symbol}) {
    if (name != nullptr && std::string_view(name).starts_with("_Z")) return ShortFunctionName(name);
  }
  const char* plain = ::dwarf_diename(function);
  return plain == nullptr ? "" : ShortFunctionName(plain);
}

Dwarf_Word Number(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (::dwarf_attr(die, name, &attribute) == nullptr) return 0;
  return ::dwarf_formudata(&attribute, &value) == 0 ? value : 0;
}

// Where `inlined` was called from.
void SetCallSite(Dwarf_Die* unit, Dwarf_Die* inlined, CodeFrame& frame) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (::dwarf_getsrcfiles(unit, &files, &count) != 0) return;
  const Dwarf_Word index = Number(inlined, DW_AT_call_file);
  const char* file = index < count ? ::dwarf_filesrc(files, index, nullptr, nullptr) : nullptr;
  if (file == nullptr) return;
  frame.file = file;
  frame.line = static_cast<int>(Number(inlined, DW_AT_call_line));
}

void SetLine(Dwfl_Module* module, Dwarf_Addr address, CodeFrame& frame) {
  Dwfl_Line* line = ::dwfl_module_getsrc(module, address);
  if (line == nullptr) return;
  const char* file = ::dwfl_lineinfo(line, nullptr, &frame.line, nullptr, nullptr, nullptr);
  if (file != nullptr) frame.file = file;
}

// The functions that were inlined at `address`, and the one that holds them all: by the debugging
// information; nothing without any.
std::vector<CodeFrame> FromDebugInfo(Dwfl_Module* module, Dwarf_Addr address) {
  std::vector<CodeFrame> frames;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = ::dwfl_module_addrdie(module, address, &bias);
  if (unit == nullptr) return frames;
  CodeFrame frame;
  SetLine(module, address, frame);
  Scopes scopes(unit, address - bias);
  for (Dwarf_Die& scope : scopes) {
    const int tag = ::dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    frame.inlined = tag == DW_TAG_inlined_subroutine;
    frame.function =
        NameOf(&scope, frame.inlined ? nullptr : ::dwfl_module_addrname(module, address));
    frames.push_back(frame);
    if (tag == DW_TAG_subprogram) break;
    frame = CodeFrame{};
    SetCallSite(unit, &scope, frame);
  }
  return frames;
}

// Without debugging information: the nearest symbol, of exported functions at least.
std::vector<CodeFrame> FromSymbols(Dwfl_Module* module, Dwarf_Addr address) {
  CodeFrame frame;
  if (const char* name = ::dwfl_module_addrname(module, address); name != nullptr)
    frame.function = ShortFunctionName(name);
  SetLine(module, address, frame);
  return {frame};
}

// Opens the file of a module, as dwfl_linux_proc_find_elf does, but for one: a program that was
// replaced while it runs ("... (deleted)") can still open itself.
int FindElf(Dwfl_Module* module, void** user, const char* name, Dwarf_Addr base, char** path,
            Elf** elf) {
  std::array<char, 4096> self;
  const ssize_t length = ::readlink("/proc/self/exe", self.data(), self.size());
  const std::string_view own(self.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  if (own.ends_with(" (deleted)") && own == name) return ::open("/proc/self/exe", O_RDONLY);
  return ::dwfl_linux_proc_find_elf(module, user, name, base, path, elf);
}

class DwflSymbolizer final : public Symbolizer {
 public:
  explicit DwflSymbolizer(std::string_view maps) : maps_(maps) {}

  Result<void> Open() {
    dwfl_.reset(::dwfl_begin(&callbacks_));
    const std::unique_ptr<std::FILE, CloseStream> lines(
        ::fmemopen(maps_.data(), maps_.size(), "r"));
    if (!dwfl_ || !lines) return Fail(ErrorCode::kInternal, "cannot start libdw");
    ::dwfl_report_begin(dwfl_.get());
    if (::dwfl_linux_proc_maps_report(dwfl_.get(), lines.get()) != 0)
      return Fail(ErrorCode::kCorruptData, "the mappings of the process cannot be read");
    ::dwfl_report_end(dwfl_.get(), nullptr, nullptr);
    return {};
  }

  std::vector<CodeFrame> Resolve(std::uint64_t address) override {
    const Dwarf_Addr call = address == 0 ? 0 : address - 1;  // inside the call, not behind it
    Dwfl_Module* module = ::dwfl_addrmodule(dwfl_.get(), call);
    if (module == nullptr) return {CodeFrame{}};
    std::vector<CodeFrame> frames = FromDebugInfo(module, call);
    if (frames.empty()) frames = FromSymbols(module, call);
    const char* name =
        ::dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    for (CodeFrame& frame : frames) frame.module = name == nullptr ? "" : name;
    return frames;
  }

 private:
  // libdw keeps a pointer to them.
  char* debug_path_ = nullptr;  // the default
  const Dwfl_Callbacks callbacks_{.find_elf = FindElf,
                                  .find_debuginfo = ::dwfl_standard_find_debuginfo,
                                  .section_address = ::dwfl_offline_section_address,
                                  .debuginfo_path = &debug_path_};
  std::string maps_;
  DwflHandle dwfl_;
};

}  // namespace

Result<std::unique_ptr<Symbolizer>> Symbolizer::Create(std::string_view maps) {
  if (maps.empty()) return Fail(ErrorCode::kCorruptData, "there are no mappings of the process");
  auto symbolizer = std::make_unique<DwflSymbolizer>(maps);
  HOLO_TRY(symbolizer->Open());
  return symbolizer;
}

}  // namespace holostat::runtime
