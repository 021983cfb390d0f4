#include "runtime/function_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>

namespace holostat::runtime {
namespace {

constexpr std::size_t kLongestArguments = 12;  // of a template, with its brackets

struct FreeText {
  void operator()(char* text) const { std::free(text); }
};

std::string Demangle(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, FreeText> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
  return status == 0 && text ? text.get() : name;
}

// Where the bracket that opens at `at` is closed, or the end. Brackets of all kinds nest; the '>'
// of
// "->" is none.
std::size_t Closing(std::string_view name, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
    const bool arrow = c == '>' && i > 0 && name[i - 1] == '-';
    if ((c == ')' || c == '>' || c == '}' || c == ']') && !arrow && --depth == 0) return i;
  }
  return name.size() - 1;
}

// Takes a demangled name apart from left to right.
class Shortener {
 public:
  explicit Shortener(std::string_view name) : name_(name) {}

  std::string Run() {
    while (at_ < name_.size()) Step();
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    return std::move(out_);
  }

 private:
  bool Take(std::string_view word) {
    if (!name_.substr(at_).starts_with(word)) return false;
    out_ += word;
    at_ += word.size();
    return true;
  }

  void Step() {
    if (Take("(anonymous namespace)") || TakeOperator()) return;
    switch (name_[at_]) {
      case '(':
        return SkipParameters();
      case '<':
        return ShortenArguments();
      case '{':
        return ShortenLambda();
      case '[':  // "[clone .part.0]", "[abi:cxx11]"
        at_ = Closing(name_, at_) + 1;
        return;
      case ' ':  // what stood before it was the return type
        out_.clear();
        ++at_;
        return;
      default:
        out_ += name_[at_++];
    }
  }

  // "operator<", "operator()", "operator new[]": their signs are no brackets.
  bool TakeOperator() {
    const bool begins = at_ == 0 || name_[at_ - 1] == ':' || name_[at_ - 1] == ' ';
    if (!begins || !name_.substr(at_).starts_with("operator")) return false;
    const std::string_view rest = name_.substr(at_ + 8);
    if (rest.empty() || std::isalnum(static_cast<unsigned char>(rest[0])) != 0 || rest[0] == '_')
      return false;
    Take("operator");
    for (const std::string_view sign :
         {" new[]", " delete[]", " new", " delete", "()", "[]", "->*", "->", "<=>",
          "<<=", ">>=", "<<", ">>", "<=", ">=", "<", ">"}) {
      if (Take(sign)) return true;
    }
    // A conversion, " unsigned long", or "+=": up to the parameters.
    while (at_ < name_.size() && name_[at_] != '(') out_ += name_[at_++];
    return true;
  }

  void SkipParameters() {
    at_ = Closing(name_, at_) + 1;
    for (const std::string_view qualifier : {" const", " volatile", " &&", "&&", " &", "&"}) {
      if (name_.substr(std::min(at_, name_.size())).starts_with(qualifier)) at_ += qualifier.size();
    }
  }

  void ShortenArguments() {
    const std::size_t end = Closing(name_, at_) + 1;
    const std::string_view arguments = name_.substr(at_, end - at_);
    out_ += arguments.size() <= kLongestArguments ? std::string(arguments) : "<...>";
    at_ = end;
  }

  // "{lambda(int)#1}"
  void ShortenLambda() {
    const std::size_t end = Closing(name_, at_) + 1;
    std::string_view lambda = name_.substr(at_, end - at_);
    const std::size_t open = lambda.find('(');
    if (open == std::string_view::npos) {
      out_ += lambda;
    } else {
      out_ += lambda.substr(0, open);
      out_ += lambda.substr(std::min(Closing(lambda, open) + 1, lambda.size()));
    }
    at_ = end;
  }

  std::string_view name_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string ShortFunctionName(std::string_view linkage_name) {
  std::string name = Demangle(std::string(linkage_name));
  if (name == linkage_name && name.find('<') == std::string::npos) return name;
  return Shortener(name).Run();
}

}  // namespace holostat::runtime
