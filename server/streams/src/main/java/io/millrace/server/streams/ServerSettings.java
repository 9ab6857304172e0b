package io.millrace.server.streams;

import io.millrace.server.http.ListeningPlaces;
import java.nio.file.Path;
import java.util.Map;

/**
 * Settings of a server process.
 *
 * @param client Kafka client configuration: bootstrap.servers and security
 * @param stateDirectory folder of the stores
 * @param instance static group membership: a restart under the same name resumes in about a second
 * @param queries where queries are answered
 * @param queryToken what a query must show to be answered
 * @param enginesBeside false when an engine that ran in a process of its own is waited for
 * @param standby whether other servers keep copies of the stores, and so does this one of theirs
 */
public record ServerSettings(
    Map<String, Object> client,
    Path stateDirectory,
    String instance,
    ListeningPlaces queries,
    String queryToken,
    boolean enginesBeside,
    boolean standby) {}
