import {expect, test} from 'vitest';
import {checkAgents} from '../../../../src/commands/doctor/agents.ts';
import type {Settings} from '../../../../src/config/settings.ts';

test('a missing agent is never a success, and a problem only where it is used', async () => {
	const states = async (mode: Settings['mode']) => {
		const checks = await checkAgents({agent: 'claude', mode} as Settings, {PATH: '/nowhere'});
		return checks.find(({name}) => name === 'agent claude')?.state;
	};
	expect(await states('remote')).toBe('none');
	expect(await states('local')).toBe('problem');
});
