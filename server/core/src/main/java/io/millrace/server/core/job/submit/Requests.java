package io.millrace.server.core.job.submit;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest;

/** Checks that every request must pass, since the shard later computes with its amounts. */
public final class Requests {
  private Requests() {}

  /** As {@link #sound(ResourceRequest)}; a Grid Engine job's slots are chunks of one kind. */
  public static boolean sound(ResourceRequest request, GridEngineRequest gridEngine) {
    return sound(request)
        && (gridEngine == null
            || (request.getChunks().size() == 1
                && gridEngine.getSlotsMax() >= request.getChunks().get(0).getCount()));
  }

  /** Whether the request has chunks, no negative amounts, and a known place. */
  public static boolean sound(ResourceRequest request) {
    return !request.getChunks().isEmpty()
        && request.getChunks().stream().allMatch(Requests::sound)
        && PlaceRequest.parse(request.getPlace()).isPresent();
  }

  private static boolean sound(Chunk chunk) {
    return chunk.getCount() > 0 && chunk.getAmounts().values().stream().allMatch(a -> a >= 0);
  }
}
