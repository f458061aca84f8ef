// The kinds of objects and the struct of each: texts and containers in containers.h, the rest here.
//
// A kind is one small number in the object's header, so "is this a list" is one compare, and each
// kind has one struct with plain members. What the kinds do (repr, methods, arithmetic) is in the
// files that own them; how scripts see them is in protocol.h.
//
//     Ref<ListObject> list = make_list({Value(int64_t{1}), make_str("two")});
//     if (auto* text = value.try_as<StrObject>()) use(text->view());
//
// A user's class is a `ClassObject`, its instances are `InstanceObject`s, whose attributes lie in
// slots that a `Shape` names. An instance of a user's subclass of a builtin type (`class Table(
// dict)`) is an object of the builtin's kind with the flag `kSubclassed`; `class_of` knows its
// class.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/support/span.h"
#include "core/tensor/dtype.h"
#include "ir/program.h"
#include "runtime/interpreter/containers.h"
#include "runtime/interpreter/hash_table.h"
#include "runtime/interpreter/heap.h"
#include "runtime/interpreter/value.h"

namespace glint::runtime {

// ---- Functions ---------------------------------------------------------------------------------

struct CellObject : Container {
  static constexpr ObjectKind kKind = kCellKind;
  Value value;  ///< undefined: the variable is unbound
  CellObject() : Container(kKind) {}
  explicit CellObject(Value content) : Container(kKind), value(std::move(content)) {}
  void traverse(Visitor& visit) override { visit(value); }
  void clear() override { value = Value(); }
};

/// A script's function: code, the module's variables, defaults and the cells of its closure.
struct FunctionObject : Container {
  static constexpr ObjectKind kKind = kFunctionKind;
  std::shared_ptr<const program::Code> code;
  FunctionCode* prepared = nullptr;  ///< owned by the interpreter, made at the first call
  Ref<DictObject> globals;
  Value module_name;
  Ref<StrObject> name, qualified_name;
  Value doc;
  std::vector<Value> defaults;       ///< of the last positional parameters
  Ref<DictObject> keyword_defaults;  ///< or null
  Ref<DictObject> annotations;       ///< or null
  std::vector<Ref<CellObject>> closure;
  Ref<DictObject> attributes;  ///< `f.attribute = ...`, or null
  uint32_t version = 0;        ///< bumped when defaults or code change
  FunctionObject() : Container(kKind) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};

struct BoundMethodObject : Container {
  static constexpr ObjectKind kKind = kBoundMethodKind;
  Value self;
  Value function;  ///< any callable; called with self first
  BoundMethodObject(Value receiver, Value callable)
      : Container(kKind), self(std::move(receiver)), function(std::move(callable)) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};

/// A method of a builtin type, bound to its object: `[].append`.
struct BoundNativeObject : Container {
  static constexpr ObjectKind kKind = kBoundNativeKind;
  Value self;
  Ref<NativeFunctionObject> function;
  BoundNativeObject(Value receiver, Ref<NativeFunctionObject> native);
  ~BoundNativeObject() override;
  void traverse(Visitor& visit) override;
  void clear() override;
};

/// What `torch.compile(f)` makes. A call of it enters `RegionRunner::enter` (tracer.h).
struct CompiledFunctionObject : Container {
  static constexpr ObjectKind kKind = kCompiledFunctionKind;
  Value function;  ///< the wrapped callable: a function, bound method, or an instance
  /// Capture's own record: regions, options.
  Ref<RefCounted> record;
  Ref<DictObject> attributes;  ///< or null
  /// Of the record: calls whose tensors all have at most so many elements go to `function` itself.
  const int64_t* eager_up_to = nullptr;
  CompiledFunctionObject(Value callable, Ref<RefCounted> captures)
      : Container(kKind), function(std::move(callable)), record(std::move(captures)) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};

struct PropertyObject : Container {
  static constexpr ObjectKind kKind = kPropertyKind;
  Value getter, setter, deleter, doc;  ///< None when absent
  PropertyObject() : Container(kKind) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};
/// `staticmethod` (kStaticMethodKind) and `classmethod` (kClassMethodKind).
struct WrappedMethodObject : Container {
  Value function;
  WrappedMethodObject(ObjectKind kind, Value callable)
      : Container(kind), function(std::move(callable)) {}
  void traverse(Visitor& visit) override { visit(function); }
  void clear() override { function = Value(); }
};

// ---- Classes and instances ---------------------------------------------------------------------

/// Which attribute lies in which slot. Shapes of one class form a tree; adding an attribute goes to
/// a child. Equal shape means equal class and equal attribute names in equal order.
struct Shape {
  ClassObject* owner = nullptr;
  Shape* parent = nullptr;
  Ref<StrObject> name;  ///< the attribute added last; null at the root
  uint32_t count = 0;
  std::unordered_map<const StrObject*, std::unique_ptr<Shape>> children;
  std::unordered_map<const StrObject*, uint32_t> index;  ///< of all attributes
  std::vector<Ref<StrObject>> names;                     ///< by slot

  /// The slot of an attribute, or -1.
  int find(const StrObject* key) const;
  Shape* with(const Ref<StrObject>& key);
};

/// The special methods that the interpreter looks for, resolved once per class version.
enum class Special : uint8_t {
  kInit,
  kNew,
  kCall,
  kRepr,
  kStr,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kHash,
  kBool,
  kLen,
  kIter,
  kNext,
  kContains,
  kGetItem,
  kSetItem,
  kDelItem,
  kGetAttr,
  kGetAttribute,
  kSetAttr,
  kDelAttr,
  kEnter,
  kExit,
  kAdd,
  kSub,
  kMul,
  kMatMul,
  kTrueDiv,
  kFloorDiv,
  kMod,
  kPow,
  kDivMod,
  kLShift,
  kRShift,
  kAnd,
  kOr,
  kXor,
  kRAdd,
  kRSub,
  kRMul,
  kRMatMul,
  kRTrueDiv,
  kRFloorDiv,
  kRMod,
  kRPow,
  kRDivMod,
  kRLShift,
  kRRShift,
  kRAnd,
  kROr,
  kRXor,
  kIAdd,
  kISub,
  kIMul,
  kIMatMul,
  kITrueDiv,
  kIFloorDiv,
  kIMod,
  kIPow,
  kILShift,
  kIRShift,
  kIAnd,
  kIOr,
  kIXor,
  kNeg,
  kPos,
  kInvert,
  kAbs,
  kInt,
  kFloat,
  kIndex,
  kRound,
  kFormat,
  kReversed,
  kDel,
  kMissing,
  kGet,
  kSet,
  kDelete,
  kSetName,
  kInitSubclass,
  kClassGetItem,
  kInstanceCheck,
  kCount,
};
std::string_view name_of(Special special);

struct ClassObject : Container {
  static constexpr ObjectKind kKind = kClassKind;
  Ref<StrObject> name, qualified_name;
  Value module_name;
  std::vector<Ref<ClassObject>> bases;  ///< as they are listed; none for `object` only
  /// That of `bases` which says what an instance is; null for `object` only.
  Ref<ClassObject> base;
  std::vector<ClassObject*> order;  ///< method resolution: this class, its bases, ..., `object`
  std::vector<ClassObject*> subclasses;
  Ref<DictObject> dict;
  /// New for each state of the class and its bases; unique over all classes. 0 is never used.
  uint32_t version = 0;
  /// What its instances are: kInstanceKind for a plain script class.
  ObjectKind instance_kind = kInstanceKind;
  bool native = false;  ///< a builtin type; its attributes cannot be set by scripts
  bool is_exception = false;
  /// Builtin types: what a call of the type runs. For an exact builtin type only.
  Ref<NativeFunctionObject> construct;
  /// Builtin types that scripts may subclass: an empty object, which `__init__` then fills. Null:
  /// `construct` makes the object of a subclass too, from the arguments.
  Value (*allocate)(Interpreter&, ClassObject* cls) = nullptr;
  /// The root of the shapes of this class's instances.
  std::unique_ptr<Shape> root_shape;
  uint32_t expected_slots = 0;
  /// The only attributes that its instances may have, by `__slots__`; null: any.
  std::unique_ptr<std::vector<Ref<StrObject>>> slots;
  /// What keeps it from having instances (class_rules.h).
  std::vector<std::string> abstract_methods;
  /// The special methods found along `order`; undefined where there is none. Filled per version.
  std::vector<Value> specials;
  uint32_t specials_version = 0;

  ClassObject();
  ~ClassObject() override;
  void traverse(Visitor& visit) override;
  void clear() override;

  /// The attribute as found along the order, not bound; null if absent.
  Value* lookup(const StrObject* key) const;
  Value* lookup(std::string_view key) const;
  /// A script's or native special method, or undefined.
  const Value& special(Special which);
  bool is_subclass_of(const ClassObject* other) const;
  /// Sets a class attribute and gives this class and its subclasses new versions.
  void set_attribute(const Ref<StrObject>& key, Value value);
  bool delete_attribute(const StrObject* key);
  void changed();
};

/// An instance of a script's class. Attributes are in `slots` as `shape` says, until somebody asks
/// for `__dict__`: then they move to `dict` and `shape` is null.
struct InstanceObject : Container {
  static constexpr ObjectKind kKind = kInstanceKind;
  Ref<ClassObject> cls;
  Shape* shape;
  Value* slots;
  uint32_t capacity;
  Ref<DictObject> dict;  ///< or null
  uint32_t version = 0;  ///< bumped by each write of an attribute
  Value native_data;     ///< for natives that define classes: whatever they keep

  /// Its `__del__` has run.
  static constexpr uint16_t kFinalised = kOwnFlag;

  static Ref<InstanceObject> make(ClassObject* cls);
  ~InstanceObject() override;
  /// Whether a `__del__` must run before it dies.
  bool wants_finaliser();
  void traverse(Visitor& visit) override;
  void clear() override;

  /// The attribute stored in the instance itself; null if absent.
  Value* find(const StrObject* key);
  Value* find(std::string_view key);
  void set(const Ref<StrObject>& key, Value value);
  bool erase(const StrObject* key);
  /// The attributes in order of their making.
  std::vector<std::pair<Ref<StrObject>, Value>> attributes() const;
  /// `__dict__`: moves the attributes to a dict.
  DictObject* materialise_dict();

 private:
  explicit InstanceObject(ClassObject* owner);
  void destroy() override;
  void grow();
};

struct ModuleObject;
/// At the end of a script: what it has registered with `atexit` is called.
void run_exit_functions(Interpreter& in);
/// At the end of a script: its variables go, and with them the objects that have a `__del__`.
void finalise_variables(ModuleObject& module);

struct ModuleObject : Container {
  static constexpr ObjectKind kKind = kModuleKind;
  Ref<StrObject> name;
  Ref<DictObject> dict;  ///< its variables: the `globals` of its functions
  /// Native or library modules made as their attributes are first used: makes one, or undefined.
  std::function<Value(Interpreter&, ModuleObject&, std::string_view)> missing;
  bool initialising = false;
  explicit ModuleObject(std::string_view module_name);
  void traverse(Visitor& visit) override;
  void clear() override;
};

// ---- Iterators and generators ------------------------------------------------------------------

/// A native iterator. `next` gives undefined at the end, and also when it raised (then the
/// interpreter has a pending exception).
struct IteratorObject : Container {
  static constexpr ObjectKind kKind = kIteratorKind;
  /// Which iterator this is, for the interpreter's fast loops.
  enum class Which : uint8_t { kList, kTuple, kRange, kOther };
  Which which = Which::kOther;
  /// Its items are pairs, and `next_pair` gives them without a tuple around them.
  bool gives_pairs = false;
  explicit IteratorObject(Which what = Which::kOther) : Container(kKind), which(what) {}
  virtual Value next(Interpreter& interpreter) = 0;
  /// False at the end, and when it raised.
  virtual bool next_pair(Interpreter&, Value& first, Value& second) { return false; }
  /// The type's name: `list_iterator`, `enumerate`.
  virtual std::string_view type_name() const = 0;
  void traverse(Visitor&) override {}
  void clear() override {}
};
struct ListIterator final : IteratorObject {
  Ref<ListObject> list;
  size_t index = 0;
  explicit ListIterator(Ref<ListObject> of) : IteratorObject(Which::kList), list(std::move(of)) {}
  Value next(Interpreter&) override;
  std::string_view type_name() const override { return "list_iterator"; }
  void traverse(Visitor& visit) override { visit(list); }
  void clear() override { list = nullptr; }
};
struct TupleIterator final : IteratorObject {
  Ref<TupleObject> tuple;
  size_t index = 0;
  explicit TupleIterator(Ref<TupleObject> of)
      : IteratorObject(Which::kTuple), tuple(std::move(of)) {}
  Value next(Interpreter&) override;
  std::string_view type_name() const override { return "tuple_iterator"; }
  void traverse(Visitor& visit) override { visit(tuple); }
  void clear() override { tuple = nullptr; }
};
struct RangeIterator final : IteratorObject {
  int64_t current, step;
  uint64_t remaining;
  explicit RangeIterator(const RangeObject& range);
  Value next(Interpreter&) override;
  std::string_view type_name() const override { return "range_iterator"; }
};

/// A generator owns its frame, on the heap.
struct GeneratorObject : Container {
  static constexpr ObjectKind kKind = kGeneratorKind;
  enum class State : uint8_t { kCreated, kSuspended, kRunning, kFinished };
  State state = State::kCreated;
  Frame* frame = nullptr;
  Ref<StrObject> name;
  GeneratorObject() : Container(kKind) {}
  ~GeneratorObject() override;
  void traverse(Visitor& visit) override;
  void clear() override;
  void free_frame();

 private:
  /// A suspended generator with handlers is closed first: its `finally` blocks run.
  void destroy() override;
};

// ---- Exceptions --------------------------------------------------------------------------------

struct TracebackEntry {
  std::shared_ptr<const program::Code> code;
  uint32_t pc = 0;
};
/// An instance of BaseException or a subclass, native or the script's.
struct ExceptionObject : Container {
  static constexpr ObjectKind kKind = kExceptionKind;
  Ref<ClassObject> cls;
  Ref<TupleObject> args;
  Value cause;    ///< `__cause__`, None if absent
  Value context;  ///< `__context__`
  bool suppress_context = false;
  std::vector<TracebackEntry> traceback;  ///< innermost first
  Ref<DictObject> attributes;  ///< or null: `value` of StopIteration, `code`, the script's
  Value notes;  ///< `__notes__`: a list, or what the script has set; undefined if there are none
  /// The name that the interpreter looked for in vain, and where: an object, or a module's
  /// variables. Null and undefined for all other errors.
  Ref<StrObject> sought;
  Value sought_in;
  explicit ExceptionObject(ClassObject* of);
  void traverse(Visitor& visit) override;
  void clear() override;
};

// ---- Others ------------------------------------------------------------------------------------

struct SuperObject : Container {
  static constexpr ObjectKind kKind = kSuperKind;
  Ref<ClassObject> cls;  ///< looks from behind this class
  Value self;            ///< an instance, or a class in a classmethod
  SuperObject(Ref<ClassObject> from, Value receiver)
      : Container(kKind), cls(std::move(from)), self(std::move(receiver)) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};
struct DTypeObject : Object {
  static constexpr ObjectKind kKind = kDTypeKind;
  DType dtype;
  explicit DTypeObject(DType type) : Object(kKind), dtype(type) {}
};
/// `torch.device("cpu")`.
struct DeviceObject : Object {
  static constexpr ObjectKind kKind = kDeviceKind;
  std::string type;
  int index;  ///< -1: none given
  DeviceObject(std::string device_type, int number)
      : Object(kKind), type(std::move(device_type)), index(number) {}
};
/// `e.__traceback__`: a place holder, printed with its exception.
struct TracebackObject : Object {
  static constexpr ObjectKind kKind = kTracebackKind;
  std::vector<TracebackEntry> entries;
  explicit TracebackObject(std::vector<TracebackEntry> list)
      : Object(kKind), entries(std::move(list)) {}
};
/// `f.__code__`.
struct CodeObject : Object {
  static constexpr ObjectKind kKind = kCodeKind;
  std::shared_ptr<const program::Code> code;
  explicit CodeObject(std::shared_ptr<const program::Code> of) : Object(kKind), code(of) {}
};
/// Data of a native type (a file, a pattern); its class is `cls`, whose natives know the struct.
struct NativeDataObject : Container {
  static constexpr ObjectKind kKind = kNativeDataKind;
  Ref<ClassObject> cls;
  explicit NativeDataObject(ClassObject* of);
  void traverse(Visitor& visit) override;
  void clear() override;
};

}  // namespace glint::runtime
