package io.millrace.server.streams.input;

import io.millrace.schemas.engine.EngineFactory;
import java.util.Optional;

/**
 * What works beside the shards of a process.
 *
 * @param engines makes engines; empty where none is wanted
 * @param programs runs programs that attributes name
 */
public record BesideShards(Optional<EngineFactory> engines, InputPrograms programs) {}
