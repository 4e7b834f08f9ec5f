import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readSettings} from '../../../src/config/settings.ts';
import {temporaryFolder} from '../../support/local-service.ts';

async function settings(file: object, profile?: string) {
	const home = temporaryFolder();
	const folder = join(home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'config.json'), JSON.stringify(file));
	return readSettings({flags: profile === undefined ? {} : {profile}, env: {}, home});
}

async function quietHours(file: object, profile?: string) {
	return (await settings(file, profile)).quietHours;
}

test('takes quiet hours from the profile, or else from the whole file, and has none otherwise', async () => {
	const file = {
		quietHours: '22:00-07:30',
		profiles: {a: {local: true, quietHours: '12:00-13:00'}, b: {local: true}},
	};
	expect(await quietHours(file, 'a')).toEqual({from: 720, to: 780});
	expect(await quietHours(file, 'b')).toEqual({from: 1320, to: 450});
	expect(await quietHours({})).toBeUndefined();
});

test('an invalid time range is told with its place, and the rest works', async () => {
	const {quietHours: none, callWhenDone, mistakes} = await settings({quietHours: '22-7', callWhenDone: true});
	expect([none, callWhenDone]).toEqual([undefined, true]);
	expect(mistakes).toEqual([expect.stringMatching(/quietHours: not a time range such as 22:00-07:30/)]);
	const ofProfile = await settings({profiles: {a: {local: true, quietHours: 'night'}}}, 'a');
	expect(ofProfile).toMatchObject({
		mode: 'local',
		mistakes: [expect.stringMatching(/profiles\.a\.quietHours/)],
	});
});

test('a credit costs what the profile says, or else the general price; an invalid price counts as none', async () => {
	const file = {
		creditPrice: '0.002 USD',
		profiles: {a: {local: true, creditPrice: '1.5€'}, b: {local: true}},
	};
	expect((await settings(file, 'a')).creditPrice).toEqual({amount: 1.5, currency: '€'});
	expect((await settings(file, 'b')).creditPrice).toEqual({amount: 0.002, currency: 'USD'});
	expect((await settings({})).creditPrice).toBeUndefined();
	for (const creditPrice of ['USD', '0 USD', '-1 USD', '1', 'NaN USD', '1 US\u001bD'])
		expect(await settings({creditPrice})).toMatchObject({
			creditPrice: undefined,
			mistakes: [expect.stringMatching(/creditPrice: not a price such as 0.002 USD/)],
		});
});

test("doesn't call for finished work unless the profile, or else the file, says so", async () => {
	const file = {callWhenDone: true, profiles: {a: {local: true, callWhenDone: false}, b: {local: true}}};
	expect((await settings(file, 'a')).callWhenDone).toBe(false);
	expect((await settings(file, 'b')).callWhenDone).toBe(true);
	expect((await settings({})).callWhenDone).toBe(false);
});
