import {NotFoundError} from '../../src/api/errors.ts';
import type {Service} from '../../src/api/service.ts';
import type {SessionActivity} from '../../src/domain/sessions/activity.ts';
import type {AgentRequest} from '../../src/domain/sessions/agent-request.ts';
import {appParts} from './app-parts.ts';
import {fakeClock} from './fake-clock.ts';
import {asks, fleet, knownComputer, knownSession, noon, permission} from './fleet.ts';
import {openScreen} from './screen.tsx';

export type RequestsScreenOptions = {
	readonly requests?: readonly AgentRequest[];
	readonly activity?: SessionActivity;
	readonly size?: readonly [columns: number, rows: number];
	readonly host?: string;
	/** Holds back what the service says to an answer. */
	readonly gate?: Promise<void>;
};

/** A screen over a service that has these requests, read after `reading`; `answers` are those it got. */
export async function openRequests({
	requests = [permission],
	activity = asks,
	size = [80, 24],
	host,
	gate,
}: RequestsScreenOptions = {}) {
	const clock = fakeClock(noon);
	const answers: unknown[] = [];
	const interrupts: string[] = [];
	const service = {requests: [...requests], isDown: false, hasSession: true, reading: Promise.resolve()};
	const parts = appParts(clock, {
		...(host !== undefined && {profile: {host}}),
		service: {
			agentRequests: {
				async list(sessionId?: string) {
					await service.reading;
					if (service.isDown) throw new Error('down');
					if (sessionId !== undefined && !service.hasSession)
						throw new NotFoundError('There is no such session.', {hint: ''});
					return service.requests.filter(one => sessionId === undefined || one.sessionId === sessionId);
				},
				async answer(sessionId: string, id: string, values: object) {
					await gate;
					const index = service.requests.findIndex(one => one.id === id);
					if (index < 0) throw new NotFoundError('There is no such request.', {hint: ''});
					answers.push({sessionId, id, ...values});
					const [answered] = service.requests.splice(index, 1);
					return {...answered, answer: (values as {option: string}).option};
				},
				async interrupt(sessionId: string) {
					interrupts.push(sessionId);
					return true;
				},
			},
		} as unknown as Service,
	});
	const setActivity = (next: SessionActivity) =>
		parts.stores.fleet.setState(
			fleet(
				[
					knownSession('s1', {
						...{computerId: 'c1', name: 'api', activity: next},
						session: {sessionId: 's1', agent: 'claude', cwd: '/srv/shop'},
					}),
				],
				[knownComputer('c1', {name: 'gpu-1'})],
			),
		);
	setActivity(activity);
	parts.view.setState({cursor: {section: 'needs', id: 's1'}});
	const screen = openScreen(parts, ...size);
	await screen.until(rows => rows.join('').includes('api'));
	return {parts, clock, screen, service, answers, interrupts, setActivity};
}
