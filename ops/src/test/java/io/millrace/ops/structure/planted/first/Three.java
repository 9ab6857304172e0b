package io.millrace.ops.structure.planted.first;

import io.millrace.ops.structure.planted.second.Four;

/** One of six classes in a circle over two packages, which the rules have to find. */
public record Three(Four next) {}
