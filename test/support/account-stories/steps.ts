import {dirname} from 'node:path';
import {expect} from 'vitest';
import type {CliResult} from '../cli.ts';
import {eventually} from '../eventually.ts';
import type {Fault} from '../organization-service.ts';
import {dates} from '../places.ts';
import {checkShown} from './leaks.ts';
import {endScreen, lookAround, openScreen, writeKey} from './screen.ts';
import {
	accountsOf,
	allAccounts,
	envOf,
	newMessage,
	outboxOf,
	type Place,
	readKeys,
	run,
	type World,
} from './world.ts';

/** What a step leaves to chance beside the place and the deed. */
type Chance = {
	/** What the service does with the next message, and with the next request of any kind. */
	readonly fault: Fault | undefined;
	readonly trouble: 'down' | 'cut' | undefined;
	readonly isShared: boolean;
	readonly pick: number;
};

type Deed = (world: World, place: Place, chance: Chance & {readonly isAlone: boolean}) => Promise<void>;

/** One step of a random story: `who` is the index of a place. */
export type Step = Chance & {readonly who: number; readonly what: keyof typeof deeds};

/** How often each deed was done, of those that were possible. */
export const done: Record<string, number> = {};

/** Takes a step to its end. `isAlone`: nothing else is done at the same time. */
export async function take(world: World, {who, what, ...chance}: Step, isAlone: boolean): Promise<void> {
	const place = world.places[who] as Place;
	const {faults, troubles} = place.service;
	faults.splice(0, 1, ...(chance.fault ? [chance.fault] : []));
	troubles.splice(0, 1, ...(chance.trouble ? [chance.trouble] : []));
	count(what);
	await deeds[what](world, place, {...chance, isAlone: isAlone && !chance.trouble});
}

/** Its answer names the organization. */
const activity = ['usage', 'activity', ...dates, '--csv'];

export const deeds = {
	async send(world, place, {fault, isShared}) {
		const message = newMessage(world, place, isShared);
		const patience = fault === 'lost' ? '--timeout=3' : '--no-wait';
		const result = await show(world, place, 'send', message.session, message.text, patience);
		place.claims.push({...message, ...result});
	},

	/** The program dies while its message is on the wire: whether it was taken is not known to it. */
	async kill(world, place, {isShared}) {
		const message = newMessage(world, place, isShared);
		const {service} = place;
		const held = Promise.withResolvers<void>();
		const {length} = service.requests;
		service.held = held.promise;
		const killed = world.cli.start(['send', message.session, message.text], {env: envOf(place)});
		const isHeld = eventually(() => expect(service.requests.length).toBeGreaterThan(length));
		await Promise.race([killed.ended, isHeld]).finally(() => killed.child.kill('SIGKILL'));
		const {stdout, stderr} = await killed.ended;
		held.resolve();
		delete service.held;
		checkShown(world, place, 'a killed send', stdout + stderr);
		place.claims.push(message);
	},

	/** Reads a session, then searches all that was ever read. */
	async read(world, place, {isShared, pick}) {
		const {session} = newMessage(world, place, isShared);
		await show(world, place, 'messages', session, '--all');
		if (pick % 3 === 0) await show(world, place, 'sessions', 'update', session);
		await show(world, place, 'search', 'begins');
	},

	async list(world, place, {pick}) {
		const lists = [
			['sessions', 'list', '--json'],
			['computers', 'get', `${place.word}-computer`],
			['computers', 'list', '--json'],
			['search', 'begins'],
			['search', 'says', '--json'],
			['outbox', 'list'],
			['outbox', 'wait', '--timeout=3'],
		];
		await show(world, place, ...(lists[pick % lists.length] ?? []));
	},

	/** Pages of the organization. Of what is kept, a member is shown nothing. */
	async pages(world, place, {isShared, pick, isAlone}) {
		const pages = [
			activity,
			['users', '--json'],
			['usage', 'tokens', ...dates, '--json'],
			['usage', 'users', ...dates, '--json'],
			['readiness', '--json'],
			['controls', '--json'],
		];
		const {organization} = place;
		const page = pages[pick % pages.length] ?? [];
		organization.isMember = false;
		await show(world, place, ...page);
		organization.isMember = true;
		const {stdout} = await show(world, place, ...page);
		if (isAlone) expect({page, stdout}).toEqual({page, stdout: ''});
		organization.isMember = isShared;
	},

	async sender(world, place, {isShared}) {
		(await sendLater(world, place, isShared))();
	},

	async screen(world, place, {isShared, pick}) {
		if (!world.screen) await openScreen(world, place, isShared);
		else if (pick % 6 === 0) await endScreen(world, pick % 4 === 0);
		else await lookAround(world, pick);
	},

	/** A new key of the organization, which the service names if it was read before. */
	async rotate(world, place, {isShared, pick, isAlone}) {
		const {organization, keys} = place;
		const before = keys.at(-1) ?? '';
		if (isShared) organization.isMember = false;
		const known = await show(world, place, ...(isShared ? activity : ['outbox', 'list']));
		// An account is compared only if it has something to lose, such as a message.
		const release = pick % 2 === 0 ? await sendLater(world, place, true) : undefined;
		const accounts = accountsOf(world, place);
		const key = giveKey(world, place);
		if (pick % 3 > 0 && isAlone) organization.keys.delete(before);
		await show(world, place, 'sessions', 'list');
		release?.();
		const account = readKeys(world).get(key);
		if (!isAlone || !isShared || !release || known.code !== 0 || !account) return;
		expect(accounts).toContain(account);
		count('rotated key recognized');
	},

	/** Forgets an account, while a message of it waits or not. */
	async forget(world, place, {isShared}) {
		const release = isShared ? await sendLater(world, place, true) : undefined;
		await forgetFirst(world, place);
		release?.();
	},

	/** Gives the key in use another account of the organization, or tries to give it another address's. */
	async use(world, place, {isShared, pick, isAlone}) {
		if (pick % 3 > 0) {
			giveKey(world, place);
			await show(world, place, 'accounts', 'use', 'new');
		}
		const release = isShared || pick % 2 === 0 ? await sendLater(world, place, true) : undefined;
		const [own = 'new'] = accountsOf(world, place);
		const {code, stderr} = await show(world, place, 'accounts', 'use', own);
		if (isAlone) expect({code, stderr}).toMatchObject({code: 0});
		release?.();
		const elsewhere = world.places.find(one => one.service !== place.service) as Place;
		const [theirs] = accountsOf(world, elsewhere);
		if (theirs === undefined) return;
		expect((await show(world, place, 'accounts', 'use', theirs)).code).not.toBe(0);
		count("using another address's account refused");
	},
} satisfies Record<string, Deed>;

/** Forgets the account of a place's first key. What the service has not taken yet must never arrive. */
async function forgetFirst(world: World, place: Place): Promise<void> {
	const [id] = accountsOf(world, place);
	if (id === undefined) return;
	const gone = allAccounts(world).filter(one => one.id === id);
	const texts = gone.flatMap(one => outboxOf(world, one)).map(({text}) => text);
	const {code, stderr} = await world.cli.run(['accounts', 'forget', id, '--discard-unsent', '--yes']);
	place.lastForgotten = world.messages;
	// Another step may have forgotten it.
	if (code === 4) return;
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	world.goneFolders.push(...gone.map(({file}) => dirname(file)));
	// What was on the wire before is answered, or cut off, before this.
	await fetch(place.service.url, {headers: {authorization: `Bearer ${place.keys.at(-1)}`}}).catch(() => {});
	const waiting = texts.filter(text => place.service.waitingTexts.has(text));
	place.discarded.push(...waiting);
	if (waiting.length > 0) count('forgotten while a message waited');
}

/** Another key of a place, in use from now on. */
function giveKey(world: World, place: Place): string {
	const {word, organization, keys} = place;
	const key = `${word}-key-${keys.length}`;
	organization.keys.add(key);
	keys.push(key);
	if (world.screen?.place === place) writeKey(world, place);
	return key;
}

function count(what: string): void {
	done[what] = (done[what] ?? 0) + 1;
}

/** Runs a command of a place, and checks what it prints. */
async function show(world: World, place: Place, ...args: string[]): Promise<CliResult> {
	const result = await run(world, place, ...args);
	checkShown(world, place, args.join(' '), result.stdout + result.stderr);
	return result;
}

/** Starts a send that the service asks to wait until the returned function is called, and goes on as soon as it waits. */
async function sendLater(world: World, place: Place, isShared: boolean): Promise<() => void> {
	const message = newMessage(world, place, isShared);
	const {session, text} = message;
	const {waitingTexts} = place.service;
	waitingTexts.add(text);
	const sent = show(world, place, 'send', session, text, '--timeout=20').then(result => {
		place.claims.push({...message, ...result});
	});
	world.waiting.push(sent);
	const isAnswered = () =>
		place.service.requests.some(one => one.text.includes(`"${text}"`) && one.status !== undefined);
	await Promise.race([sent, eventually(() => expect(isAnswered()).toBe(true))]);
	return () => void waitingTexts.delete(text);
}
