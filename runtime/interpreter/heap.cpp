#include "runtime/interpreter/heap.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "core/tensor/allocator.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/tensor_attributes.h"

namespace glint::runtime {
namespace {

/// Under the address sanitizer every object is its own allocation.
constexpr bool kPool = !__has_feature(address_sanitizer);
constexpr size_t kGranule = 16;
constexpr size_t kLargest = 512;
constexpr size_t kChunk = 64 * 1024;

struct FreeBlock {
  FreeBlock* next;
};
FreeBlock* free_lists[kLargest / kGranule + 1];
char* chunk_position = nullptr;
char* chunk_end = nullptr;

[[gnu::noinline]] void* fresh_block(size_t bytes) {
  if (static_cast<size_t>(chunk_end - chunk_position) < bytes) {
    chunk_position = static_cast<char*>(std::malloc(kChunk));
    if (!chunk_position) {
      chunk_end = nullptr;
      throw std::bad_alloc();
    }
    chunk_end = chunk_position + kChunk;
  }
  void* block = chunk_position;
  chunk_position += bytes;
  return block;
}

void* plain_block(size_t bytes) {
  void* block = std::malloc(bytes);
  if (!block) throw std::bad_alloc();
  return block;
}

}  // namespace

void* allocate_object(size_t bytes) {
  if (!kPool || bytes > kLargest) return plain_block(bytes);
  size_t slot = (bytes + kGranule - 1) / kGranule;
  if (FreeBlock* block = free_lists[slot]) {
    free_lists[slot] = block->next;
    return block;
  }
  return fresh_block(slot * kGranule);
}

void free_object(void* memory, size_t bytes) {
  if (!kPool || bytes > kLargest) {
    std::free(memory);
    return;
  }
  size_t slot = (bytes + kGranule - 1) / kGranule;
  auto* block = static_cast<FreeBlock*>(memory);
  block->next = free_lists[slot];
  free_lists[slot] = block;
}

// ---- Death -------------------------------------------------------------------------------------

namespace {
// A long chain of objects (a linked list) must not recurse as deep as it is long: below a depth,
// the dead wait in a list that the outermost destruction empties.
constexpr int kDeepest = 100;
int destruction_depth = 0;
std::vector<Object*>& waiting() {
  static auto* list = new std::vector<Object*>();
  return *list;
}
}  // namespace

/// What other tables know of the object.
static void forget(Object& object) {
  if (object.flag(Object::kWeaklyReferred)) {
    object.clear_flag(Object::kWeaklyReferred);
    clear_weak_references(&object);
  }
  if (object.flag(Object::kSubclassed)) forget_subclassed(&object);
}

void Object::destroy() {
  if (flag(kSubclassed | kWeaklyReferred)) [[unlikely]]
    forget(*this);
  if (destruction_depth >= kDeepest) {
    waiting().push_back(this);
    return;
  }
  ++destruction_depth;
  delete this;
  if (destruction_depth == 1) {
    while (!waiting().empty()) {
      Object* object = waiting().back();
      waiting().pop_back();
      delete object;
    }
  }
  --destruction_depth;
}

// ---- Cycles ------------------------------------------------------------------------------------

class Collector {
 public:
  static void enlist(Container* object) {
    object->previous_ = nullptr;
    object->next_ = head;
    if (head) head->previous_ = object;
    head = object;
    ++live;
    bool looks_at_tensors = ++made % 32 == 0;
    if (made > limit || (looks_at_tensors && tensor_bytes() > byte_limit)) [[unlikely]]
      attention.fetch_or(kAttendCollect);
  }
  static void remove(Container* object) {
    if (object->previous_) {
      object->previous_->next_ = object->next_;
    } else {
      head = object->next_;
    }
    if (object->next_) object->next_->previous_ = object->previous_;
    --live;
    if (made > 0) --made;
  }

  static size_t collect() {
    if (collecting) return 0;
    collecting = true;
    std::vector<Ref<Container>> dead = find_dead();
    // A `__del__` may bring any of them back: what is dead after it is found anew.
    if (finalise(dead)) {
      dead.clear();
      dead = find_dead();
    }
    for (auto& object : dead) {
      if (object->flag(Object::kSubclassed)) clear_subclassed(object.get());
      object->clear();
    }
    size_t count = dead.size();
    dead.clear();
    made = 0;
    limit = live / 2 > kLeast ? live / 2 : kLeast;
    byte_limit = tensor_bytes() + std::max(tensor_bytes() / 2, kLeastBytes);
    collecting = false;
    return count;
  }

  /// Few containers may hold much: what tensors take counts as well.
  static size_t tensor_bytes() { return allocator_statistics().live_bytes; }

  static constexpr size_t kLeast = 20000;
  static constexpr size_t kLeastBytes = size_t{32} << 20;
  static inline Container* head = nullptr;
  static inline size_t live = 0, made = 0, limit = kLeast;
  static inline size_t byte_limit = kLeastBytes;
  static inline bool collecting = false;

 private:
  static bool finalise(const std::vector<Ref<Container>>& dead) {
    bool any = false;
    for (const auto& object : dead) {
      if (object->kind() != kInstanceKind) continue;
      auto* instance = static_cast<InstanceObject*>(object.get());
      if (!instance->wants_finaliser()) continue;
      Machine::finalise(Interpreter::current(), *instance);
      any = true;
    }
    return any;
  }

  enum State : uint32_t { kUnknown, kAlive };

  static Container* container(RefCounted* object) {
    if (object->kind() == kTensorKind) return attributes_of(*static_cast<TensorImpl*>(object));
    if (object->kind() < kFirstInterpreterKind) return nullptr;
    auto* known = static_cast<Object*>(object);
    return known->flag(Object::kIsContainer) ? static_cast<Container*>(known) : nullptr;
  }

  static uint32_t holders(const Container& object) {
    bool of_tensor = object.kind() == kTensorAttributesKind;
    return of_tensor ? static_cast<const TensorAttributes&>(object).owner->ref_count()
                     : object.ref_count();
  }

  static void traverse(Container& object, Visitor& visit) {
    object.traverse(visit);
    if (object.flag(Object::kSubclassed)) visit_subclassed(&object, visit);
  }

  struct Subtract : Visitor {
    void visit(RefCounted* object) override {
      if (Container* inner = container(object)) --inner->collector_count_;
    }
  };
  struct Mark : Visitor {
    std::vector<Container*> work;
    void visit(RefCounted* object) override {
      Container* inner = container(object);
      if (!inner || inner->collector_state_ == kAlive) return;
      inner->collector_state_ = kAlive;
      work.push_back(inner);
    }
  };

  static std::vector<Ref<Container>> find_dead() {
    for (Container* c = head; c; c = c->next_) {
      c->collector_count_ = holders(*c);
      c->collector_state_ = kUnknown;
    }
    Subtract subtract;
    for (Container* c = head; c; c = c->next_) traverse(*c, subtract);
    Mark mark;
    for (Container* c = head; c; c = c->next_) {
      bool outside = c->collector_count_ != 0 || c->ref_count() == 0;
      if (outside && c->collector_state_ == kUnknown) mark.visit(c);
      while (!mark.work.empty()) {
        Container* inner = mark.work.back();
        mark.work.pop_back();
        traverse(*inner, mark);
      }
    }
    std::vector<Ref<Container>> dead;
    for (Container* c = head; c; c = c->next_) {
      if (c->collector_state_ == kUnknown) dead.emplace_back(c);
    }
    return dead;
  }
};

Container::Container(ObjectKind kind, bool known_to_collector) : Object(kind) {
  if (known_to_collector) make_known();
}
Container::~Container() {
  if (flag(kIsContainer)) Collector::remove(this);
}
void Container::make_known() {
  if (flag(kIsContainer)) return;
  set_flag(kIsContainer);
  Collector::enlist(this);
}

size_t collect_cycles() {
  return Collector::collect();
}
size_t live_containers() {
  return Collector::live;
}

}  // namespace glint::runtime
