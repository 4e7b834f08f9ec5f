import {mkdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';
import {machineStandIn, storeMachine} from '../../support/machine-stand-in.ts';
import {createReadyComputer} from '../../support/sessions.ts';

test('lists the folders in a folder, and the repositories beside those of sessions and below home', async () => {
	const home = temporaryFolder();
	vi.stubEnv('HOME', home);
	onTestFinished(() => void vi.unstubAllEnvs());
	for (const path of ['src/shop/.git', 'src/web', '.cache/x/.git', 'deep/er/est/.git', 'tool'])
		mkdirSync(join(home, path), {recursive: true});
	writeFileSync(join(home, 'tool/.git'), 'gitdir: elsewhere');
	writeFileSync(join(home, 'src/a.txt'), '');
	symlinkSync(join(home, 'tool'), join(home, 'src/link'));
	symlinkSync(join(home, 'nowhere'), join(home, 'src/broken'));
	utimesSync(join(home, 'tool/.git'), 1, 1);
	const {service} = await startTestService();
	const id = await createReadyComputer(service);
	expect(await service.computers.folders(id, '~/src/')).toEqual(['link', 'shop', 'web']);
	expect(await service.computers.folders(id, join(home, 'none'))).toEqual([]);
	expect(await service.computers.folders(id)).toEqual([join(home, 'src/shop'), join(home, 'tool')]);
	await service.sessions.create({computerId: id, cwd: join(home, 'deep/er/est')});
	expect(await service.computers.folders(id)).toContain(join(home, 'deep/er/est'));
});

test('asks the machine that a computer is', async () => {
	const asked: (string | null)[] = [];
	const machine = await machineStandIn(({url}) => {
		if (!url.pathname.endsWith('/folders')) return undefined;
		asked.push(url.searchParams.get('in'));
		return {folders: ['shop', 1]};
	});
	const folder = temporaryFolder();
	const id = storeMachine(folder, machine.command);
	const {service} = await startTestService({folder});
	expect(await service.computers.folders(id, '/srv/')).toEqual(['shop']);
	expect(asked).toEqual(['/srv/']);
});
