import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import type {FakeRequest} from '../organization-service.ts';
import {allAccounts, type Place, readKeys, saidAt, type World} from './world.ts';

/** What was looked at, over all stories. */
export const checked = {requests: 0, texts: 0, files: 0};

/** Nothing that one organization's user sees names another. */
export function checkShown(world: World, place: Place, what: string, shown: string): void {
	checked.texts++;
	for (const {word, organization} of othersOf(world, place))
		for (const mark of [word, `,${organization.credits},`])
			if (shown.includes(mark))
				throw new Error(`${what} of ${place.word} shows ${mark} of ${word}:\n${shown}`);
}

const othersOf = ({places}: World, place: Place) => places.filter(one => one !== place);

/**
 * Checks each request once, when its round is over: whatever a key says at a service is its organization's, but the ids
 * that are asked for to tell whose a new key is.
 */
export class RequestCheck {
	readonly #world: World;
	readonly #checkedCounts = new Map<object, number>();
	/** Accounts by key at the start of the last two rounds: a key that had none may be checked until the next. */
	#before: ReadonlyMap<string, string> = new Map();
	#start: ReadonlyMap<string, string> = new Map();

	constructor(world: World) {
		this.#world = world;
	}

	roundEnds(): void {
		const {services} = this.#world;
		const now = readKeys(this.#world);
		const isSettled = (key: string) => {
			const account = now.get(key);
			return account !== undefined && [this.#before, this.#start].every(map => map.get(key) === account);
		};
		for (const service of services) {
			const from = this.#checkedCounts.get(service) ?? 0;
			const next = service.requests.slice(from);
			for (const request of next) this.#check(request, isSettled(request.key));
			this.#checkedCounts.set(service, from + next.length);
		}
		this.#before = this.#start;
		this.#start = now;
	}

	#check(request: FakeRequest, isSettled: boolean): void {
		checked.requests++;
		const {key, method, path, headers, text} = request;
		const place = this.#world.places.find(({keys}) => keys.includes(key));
		if (!place) throw new Error(`nobody has the key of ${method} ${path}`);
		const isQuestion = method === 'GET' && idQuestion.test(path) && !isSettled;
		for (const {word, service} of othersOf(this.#world, place)) {
			const isAllowed = isQuestion && service === place.service;
			const parts = isAllowed ? [headers, text] : [path, headers, text];
			if (parts.some(part => part.includes(word)))
				throw new Error(`${place.word} was told of ${word}: ${method} ${path}\n${headers}\n${text}`);
		}
	}
}

/** How a new key is asked for what an account knows: a computer, or the newest messages of a session. */
const idQuestion = /^\/api\/v0\/(computers\/[^/?]+|sessions\/[^/?]+\/messages\?limit=20)$/;

/** Each account's files hold its own organization's data only, and those of forgotten accounts are gone. */
export function checkFiles(world: World): void {
	const {cli, owners, goneFolders, places} = world;
	if (!existsSync(cli.stateFolder)) return;
	const byKey = readKeys(world);
	const accounts = allAccounts(world);
	for (const {id, file} of accounts) {
		const place = owners.get(id);
		if (place)
			for (const suffix of ['', '-wal']) checkFile(world, place, join(cli.stateFolder, file + suffix));
	}
	for (const folder of goneFolders)
		for (const name of existsSync(folder) ? readdirSync(folder) : [])
			for (const {word} of places)
				if (bytesOf(join(folder, name))?.includes(word))
					throw new Error(`${name} in ${folder} of a forgotten account holds data of ${word}`);
	if (accounts.some(({id}) => !owners.has(id))) return;
	for (const {word, keys} of places) {
		if (keys.some(key => byKey.has(key))) continue;
		for (const name of readdirSync(cli.stateFolder, {recursive: true, encoding: 'utf8'}))
			if (bytesOf(join(cli.stateFolder, name))?.includes(word))
				throw new Error(`${name} holds data of ${word}, whose accounts were forgotten`);
	}
}

function checkFile(world: World, place: Place, path: string): void {
	const bytes = bytesOf(path);
	for (const {word} of bytes ? othersOf(world, place) : [])
		if (bytes?.includes(word)) throw new Error(`${path} of ${place.word} holds data of ${word}`);
}

/** A program that ends meanwhile removes files. */
function bytesOf(path: string): Buffer | undefined {
	if (!statSync(path, {throwIfNoEntry: false})?.isFile()) return undefined;
	checked.files++;
	try {
		return readFileSync(path);
	} catch {
		return undefined;
	}
}

/** Nothing was said twice, at another organization, or from a forgotten account. */
export function checkSaid(world: World): void {
	for (const place of world.places) {
		const said = saidAt(place);
		checkShown(world, place, 'the service', said.join('\n'));
		expect(new Set(said).size).toBe(said.length);
		const posted = place.discarded.filter(text => said.some(one => one.includes(`"${text}"`)));
		if (posted.length > 0) throw new Error(`${posted} was posted after its account was forgotten`);
	}
}
