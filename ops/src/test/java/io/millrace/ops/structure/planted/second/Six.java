package io.millrace.ops.structure.planted.second;

import io.millrace.ops.structure.planted.first.One;

/** One of six classes in a circle over two packages, which the rules have to find. */
public record Six(One next) {}
