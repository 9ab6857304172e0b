package io.millrace.server.core.job.submit;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest;

/** What every request must be, whoever made it: the shard reckons with it later. */
public final class Requests {
  private Requests() {}

  /** As {@link #sound(ResourceRequest)}; what Grid Engine calls slots are chunks of one kind. */
  public static boolean sound(ResourceRequest request, GridEngineRequest gridEngine) {
    return sound(request)
        && (gridEngine == null
            || (request.getChunks().size() == 1
                && gridEngine.getSlotsMax() >= request.getChunks().get(0).getCount()));
  }

  /** It has chunks, of amounts that are not negative, and a place that there is. */
  public static boolean sound(ResourceRequest request) {
    return !request.getChunks().isEmpty()
        && request.getChunks().stream().allMatch(Requests::sound)
        && PlaceRequest.parse(request.getPlace()).isPresent();
  }

  private static boolean sound(Chunk chunk) {
    return chunk.getCount() > 0 && chunk.getAmounts().values().stream().allMatch(a -> a >= 0);
  }
}
