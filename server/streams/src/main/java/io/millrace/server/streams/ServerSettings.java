package io.millrace.server.streams;

import io.millrace.server.http.ListeningPlaces;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * Settings of a server process.
 *
 * @param client Kafka client configuration: bootstrap.servers and security
 * @param stateDirectory folder of the stores
 * @param instance static group membership: a restart under the same name resumes in about a second
 * @param queries where queries are answered
 * @param queryToken what a query must show to be answered
 * @param enginesApart scheduler objects whose engines run in processes of their own
 * @param standby whether other servers keep copies of the stores, and so does this one of theirs
 */
public record ServerSettings(
    Map<String, Object> client,
    Path stateDirectory,
    String instance,
    ListeningPlaces queries,
    String queryToken,
    Set<String> enginesApart,
    boolean standby) {}
