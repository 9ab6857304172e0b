package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schemas.common.ResourceRequest;

/** What a job asks for: the request of a live job, or a shape that was made without one. */
public sealed interface JobRequest {

  record Recorded(ResourceRequest request) implements JobRequest {}

  record Shaped(RequestShape shape) implements JobRequest {}
}
