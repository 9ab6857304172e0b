package io.millrace.server.streams;

import java.nio.file.Path;
import java.util.Map;

/**
 * Settings of a server process.
 *
 * @param client Kafka client configuration: bootstrap.servers and security
 * @param stateDirectory folder of the stores
 * @param instance static group membership: a restart under the same name resumes in about a second
 * @param queries Unix socket at which queries are answered
 * @param queryToken what a query must show to be answered
 * @param enginesBeside false when an engine that ran in a process of its own is waited for
 */
public record ServerSettings(
    Map<String, Object> client,
    Path stateDirectory,
    String instance,
    Path queries,
    String queryToken,
    boolean enginesBeside) {}
