package io.millrace.schedulers.dialects.origin2000.state;

import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import java.util.List;
import java.util.Map;

/**
 * What a cycle looks at.
 *
 * @param now seconds since 1970
 * @param jobs in the order of the server
 * @param queues by name
 * @param hosts those that answer, by name
 * @param decayUsage the file of past usage
 */
public record OriginView(
    long now,
    List<OriginJob> jobs,
    Map<String, OriginQueueState> queues,
    Map<String, OriginHostState> hosts,
    InputFile decayUsage,
    InputFile allocations,
    InputFile current) {}
