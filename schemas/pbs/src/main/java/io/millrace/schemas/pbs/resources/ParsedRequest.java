package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ResourceRequest;
import java.util.List;

/**
 * A parsed request, for the scheduler and for display.
 *
 * @param request the request as the scheduler uses it
 * @param resourceList Resource_List as {@code qstat -f} shows it, in order of display
 */
public record ParsedRequest(ResourceRequest request, List<Attribute> resourceList) {}
