import {describe, expect, test} from 'vitest';
import type {SessionActivity} from '../../src/domain/sessions/activity.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {asks, fleet, knownComputer, knownSession} from '../support/fleet.ts';
import {openRequests as open} from '../support/requests-screen.ts';
import {has} from '../support/screen.tsx';

describe('ctrl+c in a stream', () => {
	const working: SessionActivity = {...asks, state: 'working', evidence: 'growing'};

	test('interrupts the agent at work; pressed again, it quits', async () => {
		const {screen, parts, interrupts} = await open({activity: working});
		openSession(parts, 's1', 'main');
		await screen.press('\x03');
		await screen.until(has('The agent is interrupted; Ctrl+C again quits'));
		expect(interrupts).toEqual(['s1']);
		await screen.press('\x03');
		expect(parts.calls).toContain('quit');
		expect(interrupts).toEqual(['s1']);
	});

	test.each([
		['the service has no agents', 'main', 'acme.example', working, "this service can't do that"],
		['nothing runs', 'main', undefined, {...asks, state: 'done', evidence: 'answer'}, 'Ctrl+C again quits'],
	] as const)('interrupts nothing if %s', async (_, focus, host, activity, told) => {
		const {screen, parts, interrupts} = await open({
			activity,
			...(host !== undefined && {host}),
			size: [120, 40],
		});
		openSession(parts, 's1', focus);
		await screen.press('\x03');
		const rows = await screen.until(has(told));
		expect(rows.join('')).toContain('Ctrl+C again quits');
		expect(interrupts).toEqual([]);
		await screen.press('\x03');
		expect(parts.calls).toContain('quit');
	});

	test('interrupts no agent from a list, where it may be another that is meant', async () => {
		const {screen, parts, interrupts} = await open({activity: working});
		parts.view.setState({cursor: {section: 'sessions', id: 's1'}});
		await screen.press('\x03');
		await screen.until(rows => /· Ctrl\+C again quits/.test(rows.at(-1) ?? ''));
		await screen.press('\r', '\x03');
		await screen.until(has('The agent is interrupted'));
		expect(interrupts).toEqual(['s1']);
		expect(parts.calls).not.toContain('quit');
	});

	test('interrupts nothing while a reply to another session is written', async () => {
		const {screen, parts, interrupts} = await open({activity: working, size: [120, 40]});
		const both = ['s1', 's2'].map(id => knownSession(id, {computerId: 'c1', activity: working}));
		parts.stores.fleet.setState(fleet(both, [knownComputer('c1')]));
		openSession(parts, 's1', 'main');
		parts.view.setState({focus: 'lists', cursor: {section: 'sessions', id: 's2'}});
		await screen.press(' ');
		const rows = await screen.until(has('Esc leave'));
		expect(rows.at(-1)).not.toContain('interrupt');
		await screen.press('\x03');
		await screen.until(has('Ctrl+C again quits'));
		expect(interrupts).toEqual([]);
	});

	test('says at 80 columns how to interrupt while the composer has text, which stays', async () => {
		const {screen, parts, interrupts} = await open({activity: working, size: [80, 24]});
		openSession(parts, 's1', 'composer');
		await screen.press('draft', '\x03');
		await screen.until(has('Esc, then Ctrl+C interrupts: the composer has text; Ctrl+C again quits'));
		expect(interrupts).toEqual([]);
		await screen.press('\x1B', '\x03');
		await screen.until(has('The agent is interrupted', '> draft'));
		expect(interrupts).toEqual(['s1']);
		expect(parts.calls).not.toContain('quit');
	});

	test('interrupts nothing on a screen that is too small to show it', async () => {
		const {screen, parts, interrupts} = await open({activity: working});
		openSession(parts, 's1', 'main');
		await screen.resize(30, 8);
		await screen.until(has('Ctrl+C twice quits'));
		await screen.press('\x03', '\x03');
		expect(interrupts).toEqual([]);
		expect(parts.calls).toContain('quit');
	});
});
