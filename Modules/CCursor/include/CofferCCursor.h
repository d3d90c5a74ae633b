#ifndef COFFER_CURSOR_H
#define COFFER_CURSOR_H

#include <stddef.h>
#include <stdint.h>

/// The source from which a property wrapper takes its slot while the framework creates an object on this thread.
///
/// Wrappers are initialised in declaration order, so the n-th wrapper takes the n-th word. While the framework creates
/// a meta object, the cursor has a collector instead of words. Each wrapper registers its description with the
/// collector.
typedef struct {
    const uint32_t *_Nullable words;
    size_t count;
    size_t next;
    void *_Nullable collector;
} coffer_cursor_t;

// With this model, the code reads the variable at an offset from the thread's block. Without it, the code would call a
// function for every field of every object.
#if defined(__ELF__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local coffer_cursor_t coffer_cursor_current;

/// Returns the current cursor, so that the caller can restore it after the creation of an object.
static inline coffer_cursor_t coffer_cursor_get(void) { return coffer_cursor_current; }

/// Sets the cursor, or restores it.
static inline void coffer_cursor_set(coffer_cursor_t cursor) { coffer_cursor_current = cursor; }

/// Sets a cursor that begins with the first of the words.
static inline void coffer_cursor_begin(const uint32_t *_Nonnull words, size_t count) {
    coffer_cursor_current.words = words;
    coffer_cursor_current.count = count;
    coffer_cursor_current.next = 0;
    coffer_cursor_current.collector = NULL;
}

/// Returns the collector with which wrappers must register instead of taking a word, or NULL.
static inline void *_Nullable coffer_cursor_collector(void) { return coffer_cursor_current.collector; }

/// The object that keeps the failures of the closure on this thread; NULL outside of transactions and reads.
#if defined(__ELF__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local void *_Nullable coffer_enclosing_current;

static inline void *_Nullable coffer_enclosing_get(void) { return coffer_enclosing_current; }

static inline void coffer_enclosing_set(void *_Nullable enclosing) { coffer_enclosing_current = enclosing; }

/// The type for which a conversion by raw values was last requested; see KeptConversion.
#if defined(__ELF__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local uintptr_t coffer_raw_current;

static inline uintptr_t coffer_raw_get(void) { return coffer_raw_current; }

static inline void coffer_raw_set(uintptr_t type) { coffer_raw_current = type; }

/// The state of the current conversion of a stored value on this thread; see StoredConversion.
#if defined(__ELF__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local int32_t coffer_conversion_current;

static inline int32_t coffer_conversion_get(void) { return coffer_conversion_current; }

static inline void coffer_conversion_set(int32_t state) { coffer_conversion_current = state; }

/// Takes and returns the next word, or returns 0 if there is no next word.
static inline uint32_t coffer_cursor_take(void) {
    size_t index = coffer_cursor_current.next;
    if (index >= coffer_cursor_current.count) { return 0; }
    coffer_cursor_current.next = index + 1;
    return coffer_cursor_current.words[index];
}

#endif
