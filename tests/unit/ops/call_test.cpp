// Binding of arguments and eager calls: values and messages as PyTorch gives them.
#include <catch2/catch.hpp>

#include "core/tensor/print.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/samples.h"

namespace glint::ops {
namespace {

Tensor ones(std::initializer_list<int64_t> sizes) {
  return Tensor::full(IntSpan(sizes.begin(), sizes.size()), 1.0, DType::kFloat32);
}

struct Call {
  const char* function;
  std::vector<Argument> positional;
  std::vector<KeywordArgument> keywords = {};
  CallStyle style = CallStyle::kFunction;
};

const OpEntry& entry_of(const Call& call) {
  const OpEntry* entry =
      call.style == CallStyle::kMethod ? find_method(call.function) : find_torch(call.function);
  if (!entry) entry = find_functional(call.function);
  REQUIRE(entry != nullptr);
  return *entry;
}

Outputs run(const Call& call) {
  const OpEntry& entry = entry_of(call);
  BoundArguments bound = ops::bind(entry, call.positional, call.keywords, call.style);
  return call_eager(entry, bound);
}

/// `Exception: message`, or `no error`.
std::string error(const Call& call) {
  try {
    run(call);
  } catch (const OpError& raised) {
    return std::string(raised.exception) + ": " + raised.message;
  }
  return "no error";
}

std::string text(const Call& call) {
  return repr(run(call)[0]);
}

TEST_CASE("binding speaks PyTorch's words", "[ops]") {
  Tensor x = ones({2, 3});
  CHECK(error({"relu", {}}) ==
        "TypeError: relu() missing 1 required positional arguments: \"input\"");
  CHECK(error({"relu", {3}}) ==
        "TypeError: relu(): argument 'input' (position 1) must be Tensor, not int");
  CHECK(error({"relu", {x, 3}}) ==
        "TypeError: relu() takes 1 positional argument but 2 were given");
  CHECK(error({"add", {x, "a"}}) ==
        "TypeError: add(): argument 'other' (position 2) must be Tensor, not str");
  CHECK(error({"add", {x, "a"}, {}, CallStyle::kMethod}) ==
        "TypeError: add(): argument 'other' (position 1) must be Tensor, not str");
  CHECK(error({"softmax", {x}}) ==
        "TypeError: softmax() missing 1 required positional arguments: \"dim\"");
  CHECK(error({"empty", {2, 3}, {{"dtype", "a"}}}) ==
        "TypeError: empty(): argument 'dtype' must be torch.dtype, not str");
  CHECK(error({"logical_and", {x, 3}}) ==
        "TypeError: logical_and(): argument 'other' (position 2) must be Tensor, not int");
}

TEST_CASE("binding fills defaults, spreads sizes and takes keywords", "[ops]") {
  Tensor x = ones({2, 3});
  BoundArguments bound = ops::bind(*find_torch("sum"), std::vector<Argument>{x},
                                   std::vector<KeywordArgument>{{"keepdim", true}});
  CHECK(bound.size() == 4);
  CHECK(bound[1].is_none());
  CHECK(as_bool(bound[2]));
  CHECK(run({"permute", {x, 1, 0}, {}, CallStyle::kMethod})[0].size(0) == 3);
  CHECK(run({"zeros", {2, 5}})[0].size(1) == 5);
  CHECK(run({"sum", {x}, {{"axis", 1}}})[0].numel() == 2);
}

TEST_CASE("shape and dtype errors are PyTorch's", "[ops]") {
  Tensor x = ones({2, 3});
  Tensor flags = Tensor::full(IntSpan{}, true, DType::kBool);
  CHECK(error({"add", {x, ones({4, 5})}}) ==
        "RuntimeError: The size of tensor a (3) must match the size of tensor b (5) at "
        "non-singleton dimension 1");
  CHECK(error({"matmul", {x, x}}) ==
        "RuntimeError: mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
  CHECK(error({"sum", {x, 5}}) ==
        "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 5)");
  CHECK(error({"view", {x, 5}, {}, CallStyle::kMethod}) ==
        "RuntimeError: shape '[5]' is invalid for input of size 6");
  CHECK(error({"view", {transpose(x, 0, 1), 6}, {}, CallStyle::kMethod}) ==
        "RuntimeError: view size is not compatible with input tensor's size and stride (at least "
        "one dimension spans "
        "across two contiguous subspaces). Use .reshape(...) instead.");
  CHECK(error({"expand", {x, 3, 3}, {}, CallStyle::kMethod}) ==
        "RuntimeError: The expanded size of the tensor (3) must match the existing size (2) at "
        "non-singleton dimension "
        "0.  Target sizes: [3, 3].  Tensor sizes: [2, 3]");
  CHECK(error({"cat", {Argument(Argument::List{x, ones({3, 2})})}}) ==
        "RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 3 but got "
        "size 2 for tensor "
        "number 1 in the list.");
  CHECK(error({"stack", {Argument(Argument::List{x, ones({3, 2})})}}) ==
        "RuntimeError: stack expects each tensor to be equal size, but got [2, 3] at entry 0 and "
        "[3, 2] at entry 1");
  CHECK(error({"mean", {sample_tensor({3}, DType::kInt64)}}) ==
        "NotImplementedError: mean(): could not infer output dtype. Input dtype must be either a "
        "floating point or "
        "complex dtype. Got: Long");
  CHECK(error({"sub", {flags, flags}}) ==
        "NotImplementedError: Subtraction, the `-` operator, with two bool tensors is not "
        "supported. Use the `^` or "
        "`logical_xor()` operator instead.");
  CHECK(error({"bitwise_and", {x, x}}) ==
        "NotImplementedError: \"bitwise_and_cpu\" not implemented for 'Float'");
  CHECK(error({"argmax", {ones({0})}}) ==
        "IndexError: argmax(): Expected reduction dim to be specified for input.numel() == 0.");
  CHECK(error({"remainder", {sample_tensor({3}, DType::kInt64), 0}}) ==
        "RuntimeError: ZeroDivisionError");
  CHECK(error({"add_", {sample_tensor({3}, DType::kInt64), 1.5}, {}, CallStyle::kMethod}) ==
        "RuntimeError: result type Float can't be cast to the desired output type Long");
  CHECK(error({"add_", {ones({3}), x}, {}, CallStyle::kMethod}) ==
        "RuntimeError: output with shape [3] doesn't match the broadcast shape [2, 3]");
}

TEST_CASE("values are PyTorch's", "[ops]") {
  Tensor x = Tensor::of<float>({-1.0f, 0.5f, 2.0f}, IntSpan(Dims{3}));
  Tensor i = Tensor::of<int64_t>({7, -7, 2}, IntSpan(Dims{3}));
  CHECK(text({"gelu", {x}}) == "tensor([-0.1587,  0.3457,  1.9545])");
  CHECK(text({"softmax", {x, 0}}) == "tensor([0.0391, 0.1753, 0.7856])");
  CHECK(text({"sigmoid", {i}}) == "tensor([9.9909e-01, 9.1105e-04, 8.8080e-01])");
  CHECK(text({"remainder", {i, 3}}) == "tensor([1, 2, 2])");
  CHECK(text({"fmod", {i, 3}}) == "tensor([ 1, -1,  2])");
  CHECK(text({"floor_divide", {i, 2}}) == "tensor([ 3, -4,  1])");
  CHECK(text({"div", {i, 2}}) == "tensor([ 3.5000, -3.5000,  1.0000])");
  CHECK(text({"add", {x, i}, {{"alpha", 2}}}) == "tensor([ 13.0000, -13.5000,   6.0000])");
  CHECK(text({"arange", {0, 1, 0.25}}) == "tensor([0.0000, 0.2500, 0.5000, 0.7500])");
  CHECK(text({"linspace", {0, 1, 5}}) == "tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])");
  CHECK(text({"eye", {2}}) == "tensor([[1., 0.],\n        [0., 1.]])");
  CHECK(text({"tril", {ones({2, 3})}}) == "tensor([[1., 0., 0.],\n        [1., 1., 0.]])");
  CHECK(text({"std", {x}}) == "tensor(1.5000)");
  CHECK(text({"logsumexp", {x, 0}}) == "tensor(2.2413)");
  CHECK(text({"cumsum", {i, 0}}) == "tensor([7, 0, 2])");
  CHECK(text({"roll", {i, 1}}) == "tensor([ 2,  7, -7])");
  CHECK(text({"flip", {i, Argument(Argument::List{Argument(0)})}}) == "tensor([ 2, -7,  7])");
  CHECK(text({"cross_entropy", {reshape(x, {1, 3}), Tensor::of<int64_t>({2}, IntSpan(Dims{1}))}}) ==
        "tensor(0.2413)");
  Outputs most = run({"max", {x}, {{"dim", 0}}});
  REQUIRE(most.size() == 2);
  CHECK(repr(most[1]) == "tensor(2)");
}

TEST_CASE("a Python number promotes less than a tensor", "[ops]") {
  Tensor half = sample_tensor({3}, DType::kBFloat16);
  Tensor whole = sample_tensor({3}, DType::kInt32);
  Tensor single = Tensor::scalar(1.0, DType::kFloat64);
  CHECK(run({"mul", {half, 2.5}})[0].dtype() == DType::kBFloat16);
  CHECK(run({"mul", {whole, 2.5}})[0].dtype() == DType::kFloat32);
  CHECK(run({"mul", {half, single}})[0].dtype() == DType::kBFloat16);
  CHECK(run({"mul", {whole, single}})[0].dtype() == DType::kFloat64);
  CHECK(run({"mul", {half, whole}})[0].dtype() == DType::kBFloat16);
  CHECK(run({"sum", {whole}})[0].dtype() == DType::kInt64);
  CHECK(run({"exp", {whole}})[0].dtype() == DType::kFloat32);
}

TEST_CASE("views alias, and in-place writes show through", "[ops]") {
  Tensor x = ones({2, 3});
  Tensor row = call_eager("select", {x, 0, 1});
  CHECK(row.storage() == x.storage());
  call_eager("multiply_", {row, 5});
  CHECK(x.data<float>()[3] == 5.0f);
  CHECK(x.data<float>()[0] == 1.0f);
  CHECK(call_eager("reshape", {x, Argument(Argument::List{Argument(6)})}).storage() == x.storage());
}

TEST_CASE("out= writes into and resizes its tensor", "[ops]") {
  Tensor x = ones({2, 3}), out = Tensor::empty({0}, DType::kFloat32);
  const OpEntry* form = find_op("add.out");
  REQUIRE(form != nullptr);
  std::vector<Argument> arguments{x, 2, 1, out};
  CHECK(call_eager_one(*form, arguments).is_same(out));
  CHECK(out.numel() == 6);
  CHECK(out.data<float>()[5] == 3.0f);
}

TEST_CASE("resize_ grows memory that no other tensor looks at", "[ops]") {
  Tensor x = ones({3});
  Argument six(Argument::List{Argument(6)});
  {
    Tensor view = call_eager("narrow", {x, 0, 0, 2});
    CHECK_THROWS_AS(call_eager("resize_", {x, six}), OpError);
    CHECK(x.numel() == 3);
    CHECK(call_eager("resize_", {x, Argument(Argument::List{Argument(1)})}).storage() ==
          view.storage());
  }
  call_eager("resize_", {x, six});
  CHECK(x.numel() == 6);
  CHECK(x.storage()->bytes() >= 6 * sizeof(float));
  CHECK(x.data<float>()[2] == 1.0f);
}

TEST_CASE("a check that fails says its message", "[ops]") {
  const Tensor x = ones({2, 3});
  auto said = [&](const Tensor& condition) -> std::string {
    try {
      return type_of(call_eager("checked", {x, condition, "x is odd"})).text();
    } catch (const OpError& raised) {
      return raised.message;
    }
  };
  const Tensor holds = Tensor::full({3}, true, DType::kBool);
  CHECK(said(holds) == "f32[2, 3]");
  CHECK(said(call_eager("logical_not", {holds})) == "x is odd");
  CHECK(said(x) == "checked(): the condition is a tensor of bool");
  CHECK(said(Tensor::full({4, 2, 3}, true, DType::kBool)) ==
        "checked(): the condition is for elements of the input");
}

TEST_CASE("symbolic sizes flow through inference", "[ops]") {
  ShapeEnvironment environment;
  ShapeEnvironment::Scope scope(environment);
  SymInt s0 = environment.new_symbol(6);
  TensorType x = TensorType::tensor(DType::kFloat32, {s0, 8});
  auto type = [&](const char* name, std::vector<InferArgument> arguments) {
    return infer(*find_op(name), arguments)[0].text();
  };
  CHECK(type("add", {x, TensorType::tensor(DType::kFloat32, {8})}) == "f32[s0, 8]");
  CHECK(type("sum", {x, 1}) == "f32[s0]");
  CHECK(type("reshape", {x, InferArgument(InferArgument::List{InferArgument(-1)})}) == "f32[8*s0]");
  CHECK(type("softmax", {x, 1}) == "f32[s0, 8]");
  CHECK(type("slice", {x, 0, 1, InferArgument(), 1}) == "f32[s0 - 1, 8]");
  CHECK(type("mean", {x, 0}) == "f32[8]");
  CHECK(type("matmul", {x, TensorType::tensor(DType::kFloat32, {8, 3})}) == "f32[s0, 3]");
}

}  // namespace
}  // namespace glint::ops
