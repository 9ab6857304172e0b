/**
 * The words in which the core speaks: requests, owners, limits, settings and reasons, read once
 * from what administrators and users wrote.
 *
 * <p>In: attributes of cluster objects and requests of jobs. Out: values that are cheap to compare,
 * in which a resource is a number given by {@link io.millrace.schedulers.core.model.ResourceNames}.
 *
 * <p>Invariant: nothing here knows of jobs, nodes or time; all but the resource numbers is
 * immutable.
 */
package io.millrace.schedulers.core.model;
