package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ResourceRequest;
import java.util.List;

/**
 * A request in two forms.
 *
 * @param request what the scheduler works with
 * @param resourceList Resource_List as {@code qstat -f} shows it, in order of display
 */
public record ParsedRequest(ResourceRequest request, List<Attribute> resourceList) {}
