import {expect, test, vi} from 'vitest';
import {outcomeOf, ValidationError} from '../../../src/api/errors.ts';
import {createHttpService} from '../../../src/api/http/http-client.ts';
import type {Service} from '../../../src/api/service.ts';
import {Secret} from '../../../src/config/secret.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {errorOf, setUpHarness} from './harness.ts';

const harness = setUpHarness();
const range = {startDate: '2026-02-01', endDate: '2026-02-03'};
const computer = {name: 'gpu', remoteUser: 'me'};
/** Values that the types forbid and a caller may still bring along. */
const any = (value: unknown) => value as never;

const rows: [field: string, call: (service: Service) => Promise<unknown>][] = [
	['name', s => s.computers.create({...computer, name: ''})],
	['name', s => s.computers.create({...computer, name: '😀'.repeat(64)})],
	['remoteUser', s => s.computers.create({...computer, remoteUser: 'x'.repeat(64)})],
	['provider', s => s.computers.create({...computer, provider: any('vm')})],
	['hostId', s => s.computers.create({...computer, hostId: 'not-a-uuid'})],
	['repos', s => s.computers.create({...computer, repos: Array(21).fill('https://host.example/r')})],
	[
		'repos.1',
		s => s.computers.create({...computer, repos: ['https://host.example/r', 'git@host:team/r.git']}),
	],
	['repos.0', s => s.computers.create({...computer, repos: [`https://host.example/${'x'.repeat(2048)}`]})],
	['autoInstallDeps', s => s.computers.create({...computer, autoInstallDeps: any('yes')})],
	['id', s => s.computers.create(any({...computer, id: 'c1'}))],
	['computerId', s => s.computers.get('')],
	['computerId', s => s.computers.get('..')],
	['computerId', s => s.computers.get('\ud800')],
	['status', s => s.computers.update('c1', any({status: 'active'}))],
	['cwd', s => s.sessions.create({computerId: 'c1', cwd: ''})],
	['cwd', s => s.sessions.create({computerId: 'c1', cwd: 'x'.repeat(4097)})],
	['sessionSettings', s => s.sessions.create({computerId: 'c1', sessionSettings: any('x')})],
	['sessionSettings.tokenUsage', s => s.sessions.update('s1', any({sessionSettings: {tokenUsage: {}}}))],
	[
		'sessionSettings.inclusiveTokenUsage',
		s => s.sessions.update('s1', any({sessionSettings: {inclusiveTokenUsage: {}}})),
	],
	['sessionSettings.tags.0.name', s => s.sessions.update('s1', any({sessionSettings: {tags: [{}]}}))],
	['sessionId', s => s.sessions.update('..', {})],
	['title', s => s.sessions.update('s1', any({title: 'x'}))],
	['limit', s => s.messages.list('s1', {limit: 0})],
	['limit', s => s.messages.list('s1', {limit: 101})],
	['limit', s => s.messages.list('s1', {limit: 1.5})],
	['cursor', s => s.messages.list('s1', {cursor: ''})],
	['role', s => s.messages.list('s1', {role: any('system')})],
	['text', s => s.messages.add('s1', any({}))],
	['images.0.data', s => s.messages.add('s1', {text: 'x', images: [{data: 'data:image/png;base64,aGk='}]})],
	['files.0.size', s => s.messages.add('s1', {text: 'x', files: [any({size: 3})]})],
	['limit', s => s.users.list({limit: 101})],
	['limit', s => s.controls.history({limit: -1})],
	['limit', s => s.readiness.list({limit: 0})],
	['startDate', s => s.analytics.tokens({...range, startDate: '2026-01-13'})],
	['startDate', s => s.analytics.tokens({...range, startDate: '2026-02-30'})],
	['startDate', s => s.analytics.tokens({startDate: '2026-02-04', endDate: '2026-02-03'})],
	['endDate', s => s.analytics.tools({...range, endDate: '9999-01-01'})],
	['groupBy', s => s.analytics.activity({...range, groupBy: any('model')})],
	['groupBy', s => s.analytics.productivity(any({...range, groupBy: 'model'}))],
	['limit', s => s.analytics.users({...range, limit: 101})],
];

test.each(rows)('names %s outside the contract, and sends nothing', async (field, call) => {
	const error = await errorOf(call(harness.service));
	expect(error).toBeInstanceOf(ValidationError);
	expect(error).toMatchObject({name: 'ValidationError', field});
	expect(error.message).toContain(field);
	expect(error.message).toContain('Nothing was sent');
	expect(outcomeOf(error)).toBe('refused');
	expect(harness.server.requests).toEqual([]);
	expect(harness.facts).toEqual([]);
});

test("refuses what JSON can't hold before sending it", async () => {
	const ring: Record<string, unknown> = {};
	ring.self = ring;
	const call = harness.service.sessions.update('s1', {
		sessionSettings: {childInclusiveTokenUsageBySessionId: ring},
	});
	expect(await errorOf(call)).toMatchObject({name: 'ValidationError', field: 'body'});
	expect(harness.server.requests).toEqual([]);
});

test('refuses a range that ends today unless that is offered, but not yesterday', async () => {
	const service = harness.client(fakeClock(Date.UTC(2026, 2, 10, 23, 59)));
	const error = await errorOf(service.analytics.tokens({startDate: '2026-03-01', endDate: '2026-03-10'}));
	expect(error).toMatchObject({field: 'endDate'});
	harness.server.otherwise(response => void response.end('{"data":[],"meta":{}}'));
	await service.analytics.tokens({startDate: '2026-03-01', endDate: '2026-03-10', includesToday: true});
	await service.analytics.tokens({startDate: '2026-03-01', endDate: '2026-03-09'});
	expect(harness.server.requests).toHaveLength(2);
	expect(harness.server.requests[0]?.query).toMatchObject({endDate: '2026-03-10', include_today: 'true'});
});

test.each(['', 'two words', 'line\nbreak', 'ключ'])('refuses a key that no header can hold: %j', key => {
	const address = {baseUrl: 'http://127.0.0.1:1', appUrl: 'http://127.0.0.1:1', key: new Secret(key)};
	expect(() => createHttpService({address})).toThrow(ValidationError);
});

test.each(['http://host.example', 'ftp://127.0.0.1', 'https://me:pass@host.example', 'nonsense'])(
	'refuses an address that the key must not go to: %s',
	baseUrl => {
		const address = {baseUrl, appUrl: 'https://host.example', key: new Secret('k')};
		expect(() => createHttpService({address})).toThrow(/address/);
	},
);

test('refuses https, but not http, in a process that checks no certificates', () => {
	vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
	try {
		const key = new Secret('k');
		const remote = {baseUrl: 'https://host.example', appUrl: 'https://host.example', key};
		expect(() => createHttpService({address: remote})).toThrow(/NODE_TLS_REJECT_UNAUTHORIZED/);
		const local = {baseUrl: 'http://127.0.0.1:1', appUrl: 'http://[::1]:1', key};
		expect(() => createHttpService({address: local})).not.toThrow();
	} finally {
		vi.unstubAllEnvs();
	}
});
