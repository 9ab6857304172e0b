/**
 * Resources and requests, as PBS knows them.
 *
 * <p>In: the texts of users and administrators ({@code select=2:ncpus=4:mem=1gb}, {@code
 * resources_available.mem = 16gb}). Out: amounts as integers in the base unit of their resource,
 * and the texts that commands print.
 *
 * <p>A resource is consumable (a run takes its share from the node: flag {@code n} or {@code f}) or
 * it is a property that a node must show. Limits such as walltime are neither: they bound the run.
 *
 * <p>Invariant: what is printed is parsed to the same amounts; two requests with equal {@link
 * io.millrace.schemas.pbs.resources.RequestClass} keys are served by the same nodes. Nothing here
 * reads a clock or does I/O.
 */
package io.millrace.schemas.pbs.resources;
