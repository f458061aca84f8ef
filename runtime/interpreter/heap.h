// Where objects live: size-class free lists, counted references, and a collector for cycles.
//
// An object dies when its last reference goes. Objects that can hold others (`Container`) stand in
// one list; now and then the collector subtracts from each one's count the references that come
// from the list itself: what is left with a count came from outside and keeps alive all that it
// reaches, the rest is a dead cycle and is cleared. Frames are outside: their registers count.
//
//     struct PairObject : Container {
//       static constexpr ObjectKind kKind = ...;
//       Value first, second;
//       void traverse(Visitor& visit) override { visit(first); visit(second); }
//       void clear() override { first = Value(); second = Value(); }
//     };
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/support/ref_counted.h"
#include "runtime/interpreter/value.h"

namespace glint::runtime {

/// What the dispatch loop should look at before its next call or jump back.
inline std::atomic<uint32_t> attention{0};
inline constexpr uint32_t kAttendInterrupt = 1;  ///< Ctrl-C
inline constexpr uint32_t kAttendCollect = 2;    ///< enough containers were made for a collection

/// Memory for objects: blocks up to 512 bytes come from free lists by size, others from malloc.
void* allocate_object(size_t bytes);
void free_object(void* memory, size_t bytes);

class Object;
/// Drops the side-table entry of a dying object (attributes.cpp).
void forget_subclassed(const Object* object);
class Visitor;
/// Visits, and clears, the attributes that the side table keeps of it.
void visit_subclassed(const Object* object, Visitor& visit);
void clear_subclassed(const Object* object);

/// The base of every object of the interpreter. Bits of `flags_` are named in `ObjectFlag`.
class Object : public RefCounted {
 public:
  explicit Object(ObjectKind kind) : RefCounted(kind) {}
  static void* operator new(size_t bytes) { return allocate_object(bytes); }
  static void operator delete(void* memory, size_t bytes) { free_object(memory, bytes); }

  bool flag(uint16_t bit) const { return (flags_ & bit) != 0; }
  void set_flag(uint16_t bit) { flags_ |= bit; }
  void clear_flag(uint16_t bit) { flags_ &= static_cast<uint16_t>(~bit); }
  uint16_t flags() const { return flags_; }

  /// An instance of a script's subclass of a builtin type (`class Table(dict)`); its class and
  /// attributes are in a side table, see `class_of` and `extra_attributes`.
  static constexpr uint16_t kSubclassed = 1;
  /// A tuple that is a `torch.Size`.
  static constexpr uint16_t kIsSize = 2;
  /// `repr` is at work on it: a cycle prints as `[...]`.
  static constexpr uint16_t kInRepr = 4;
  /// Free for the struct of the kind.
  static constexpr uint16_t kOwnFlag = 8;
  /// Weak references to it are told when it dies (weak_references.h).
  static constexpr uint16_t kWeaklyReferred = 16;
  /// Set by Container: the collector knows it.
  static constexpr uint16_t kIsContainer = 0x8000;

 protected:
  void destroy() override;
};

/// Sees every reference that a container holds.
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void visit(RefCounted* object) = 0;
  void operator()(const Value& value) {
    if (value.is_object()) visit(value.object());
  }
  template <class T>
  void operator()(const Ref<T>& object) {
    if (object) visit(object.get());
  }
};

/// An object that can hold other objects, and so be part of a cycle.
class Container : public Object {
 public:
  /// The collector need not know what holds no other container, and never will: a tuple of numbers.
  explicit Container(ObjectKind kind, bool known_to_collector = true);
  ~Container() override;
  /// From now on the collector knows it.
  void make_known();
  /// Names every counted reference that this object holds, each as often as it is counted.
  virtual void traverse(Visitor& visit) = 0;
  /// Drops the references, so that a dead cycle falls apart; the object stays valid.
  virtual void clear() = 0;

 private:
  friend class Collector;
  Container* previous_;
  Container* next_;
  uint32_t collector_count_ = 0;
  uint32_t collector_state_ = 0;
};

/// Finds and clears dead cycles; returns how many objects died. `gc.collect()`.
size_t collect_cycles();
/// How many containers are alive: for tests of leaks.
size_t live_containers();

}  // namespace glint::runtime
