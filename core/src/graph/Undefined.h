// Scratch that a node or the caller would read undefined.
#pragma once
#include "graph/Recording.h"

namespace eagle::graph {

// Scratch is undefined when a replay begins, so every byte that a node reads of it, and every byte of a result, has to
// be written before on every way that control flow can take. Throws InvalidArgument naming the node, the plane, and
// what is missing or where alone it is written.
//
// What counts as written: all of a plane that a node writes, whatever the node leaves out (indices past the count of a
// compaction, what a host function does not touch). A guard is decided where it was filled in the same body before, or
// is the iteration of a loop around, whose first one is looked at. A loop runs its body at least once where nothing but
// a cap or a stop cell ends it, or where its guard is known to hold; a switch runs one of its arms. A view of more than
// 65536 rows is taken for everything between its first byte and its last where it is written, and for nothing where it
// is read.
void check_scratch(const Recording& recording);

}  // namespace eagle::graph
