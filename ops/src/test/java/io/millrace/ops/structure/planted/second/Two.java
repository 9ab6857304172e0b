package io.millrace.ops.structure.planted.second;

import io.millrace.ops.structure.planted.first.Three;

/** One of six classes in a circle over two packages, which the rules have to find. */
public record Two(Three next) {}
