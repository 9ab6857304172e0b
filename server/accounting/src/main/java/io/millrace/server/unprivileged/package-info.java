/**
 * Programs that attributes name, run without the rights of the service.
 *
 * <p>In: a command line, and the home's {@code etc/program_user}. Out: the command as it is started
 * by a service of root: as nobody or whom that file names, in no other group, in a session of its
 * own, in the root folder, with none of the service's variables.
 *
 * <p>Invariant: no program of an attribute is started with uid 0. Where rights cannot be dropped
 * nothing is started, and the reason is one line.
 */
package io.millrace.server.unprivileged;
