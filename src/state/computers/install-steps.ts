import type {Computer, ProvisioningStep} from '../../domain/computers/computer.ts';
import {stepState, tellingLine} from '../../domain/computers/provisioning.ts';
import {isArchived, type KnownSession} from '../../domain/known.ts';
import {maskText} from '../../domain/masking.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import type {Fleet} from '../fleet.ts';
import {rememberEach} from '../rows/remember.ts';
import type {ReportedState} from '../sessions/session-state.ts';

/** A provisioning step whose output is a session, and its computer. */
export type InstallStep = {
	readonly step: ProvisioningStep;
	readonly computer: Computer;
	/** When the computer was last read, Unix ms. */
	readonly readAt?: number;
};

/** The install steps by session. Computed once for each state of the computers. */
export const installSteps = rememberEach(
	(computers: Fleet['computers']): ReadonlyMap<string, InstallStep> =>
		new Map(
			[...computers.values()].flatMap(({computer, fetchedAt: readAt}) =>
				(computer?.provisioningSteps ?? []).flatMap(step => {
					const {installSessionId: id} = step;
					if (!computer || !id) return [];
					return [[id, {step, computer, readAt}] as const];
				}),
			),
		),
);

/** The state of an install's session according to its step; undefined if its messages or hooks say more. */
export function stateOfInstall(
	{step, computer, readAt}: InstallStep,
	known: KnownSession | undefined,
	signal: Signal | undefined,
): ReportedState | undefined {
	const {activity, status} = known ?? {};
	if (isArchived(known) || signal || activity?.evidence === 'request') return undefined;
	const {state} = stepState(step);
	const {startedAt, completedAt = activity?.at ?? startedAt, error} = step;
	const told = {source: 'step' as const, knownAt: readAt};
	const since = (at: number | undefined) => (at === undefined ? {} : {since: at});
	if (state === 'pending') {
		// A computer in `error` leaves later steps pending forever.
		const isWaiting = computer.status !== 'error' && activity?.state !== 'working';
		// Nobody knows since when a retry waits.
		const waitsSince = computer.status === 'provisioning' ? computer.createdAt : undefined;
		return isWaiting ? {state: 'pending', ...told, ...since(waitsSince)} : undefined;
	}
	if (state === 'running') {
		// An agent that installs may ask, and waits for the answer however the step looks.
		return activity?.state === 'asks' ? undefined : {state: 'working', ...told, ...since(startedAt)};
	}
	// Once the user has written in it, an agent may be answering.
	if (activity?.userAt !== undefined || status?.source === 'posted') return undefined;
	if (state !== 'failed') return {state: 'idle', ...told, ...since(completedAt)};
	const reason = maskText(tellingLine(error) ?? '');
	// The failure is shown at the computer, which can retry the install.
	return {state: 'error', isSettled: true, ...told, ...since(completedAt), reason: reason || undefined};
}
