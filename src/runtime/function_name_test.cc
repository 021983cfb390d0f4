#include "runtime/function_name.h"

#include <gtest/gtest.h>

namespace holostat::runtime {
namespace {

TEST(FunctionName, LeavesParametersAndReturnTypesOut) {
  EXPECT_EQ(ShortFunctionName("_Z8LeakHeremPKc"), "LeakHere");
  EXPECT_EQ(ShortFunctionName("_ZNK8holostat6vision4Crop4MakeEi"), "holostat::vision::Crop::Make");
  EXPECT_EQ(ShortFunctionName("_Z3addIiET_S0_S0_"), "add<int>") << "int add<int>(int, int)";
}

TEST(FunctionName, ShortensLongTemplateArguments) {
  // std::vector<std::string, std::allocator<std::string>>::push_back(std::string const&)
  EXPECT_EQ(
      ShortFunctionName("_ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5"
                        "_EE9push_backERKS5_"),
      "std::vector<...>::push_back");
}

TEST(FunctionName, KeepsTheSignsOfOperators) {
  EXPECT_EQ(ShortFunctionName("_Znwm"), "operator new");
  EXPECT_EQ(ShortFunctionName("_Znam"), "operator new[]");
  EXPECT_EQ(ShortFunctionName("_ZlsRSoi"), "operator<<");
  EXPECT_EQ(ShortFunctionName("_ZN1AclEv"), "A::operator()");
  EXPECT_EQ(ShortFunctionName("_ZN1AptEv"), "A::operator->");
  EXPECT_EQ(ShortFunctionName("_ZNK1AcvbEv"), "A::operator bool");
}

TEST(FunctionName, KeepsAnonymousNamespacesAndLambdas) {
  EXPECT_EQ(ShortFunctionName("_ZN12_GLOBAL__N_14LeakEv"), "(anonymous namespace)::Leak");
  // main::{lambda(int)#1}::operator()(int) const
  EXPECT_EQ(ShortFunctionName("_ZZ4mainENKUliE_clEi"), "main::{lambda#1}::operator()");
}

TEST(FunctionName, ShortensArgumentsOfANameThatIsNotMangled) {
  EXPECT_EQ(ShortFunctionName("OrNull<a::b(void*, long)::<lambda()> >"), "OrNull<...>");
  EXPECT_EQ(ShortFunctionName("operator<"), "operator<");
  EXPECT_EQ(ShortFunctionName("swap<int>"), "swap<int>");
}

TEST(FunctionName, NamesThatAreNotMangledStayAsTheyAre) {
  EXPECT_EQ(ShortFunctionName("malloc"), "malloc");
  EXPECT_EQ(ShortFunctionName("_Znonsense("), "_Znonsense(");
  EXPECT_EQ(ShortFunctionName(""), "");
}

}  // namespace
}  // namespace holostat::runtime
