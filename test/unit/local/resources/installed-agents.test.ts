import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agentRoot} from '../../../../src/domain/sessions/agent-request.ts';
import {portOf, startTestService, temporaryFolder} from '../../../support/local-service.ts';

test('the installed agents are those that the program that asks has on its PATH, not those of the service', async () => {
	const {local} = await startTestService({port: 0});
	const {url, key} = portOf(local);
	const installed = async (query: string) => {
		const response = await fetch(`${url}${agentRoot}/agents${query}`, {
			headers: {authorization: `Bearer ${key}`},
		});
		const {agents} = (await response.json()) as {agents: {name: string; isInstalled: boolean}[]};
		return agents.flatMap(({name, isInstalled}) => (isInstalled ? [name] : []));
	};
	const bin = temporaryFolder();
	writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', {mode: 0o755});

	expect(await installed(`?path=${encodeURIComponent(`${bin}:/nowhere`)}`)).toEqual(
		expect.arrayContaining(['codex']),
	);
	expect(await installed('?path=%2Fnowhere')).not.toContain('codex');
});
