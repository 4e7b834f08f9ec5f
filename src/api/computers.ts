import {z} from 'zod';
import type {Computer} from '../domain/computer.ts';
import {providerTypes} from '../domain/computer.ts';
import {nameLength, remoteUserLength, repoCount, repoLength} from '../domain/limits.ts';
import type {Caller} from './call.ts';
import {readOne} from './envelope.ts';
import type {Service} from './service.ts';
import {id, softInstant, softList, softObject, softText} from './soft.ts';
import {check, pathId, textOf, uri, uuid, wordOf} from './strict.ts';

const step = softObject({
	id: softText,
	name: softText,
	status: softText,
	error: softText,
	startedAt: softInstant,
	completedAt: softInstant,
	installSessionId: softText,
});

const computer = softObject({
	id,
	name: softText,
	providerType: softText,
	createdAt: softInstant,
	hostId: softText,
	hostname: softText,
	status: softText,
	provisioningSteps: softList(step),
	relayClientUrl: softText,
	relayAgentUrl: softText,
	remoteUser: softText,
});

const draft = z.strictObject({
	name: textOf(nameLength),
	remoteUser: textOf(remoteUserLength),
	provider: wordOf(providerTypes).optional(),
	hostId: uuid.optional(),
	repos: z
		.array(
			uri.refine(text => text.length <= repoLength, `must be at most ${repoLength} characters`),
			'must be a list',
		)
		.refine(repos => repos.length <= repoCount, `must be at most ${repoCount} repositories`)
		.optional(),
	autoInstallDeps: z.boolean('must be true or false').optional(),
});

const patch = z.strictObject({
	name: textOf(nameLength).optional(),
	hostId: uuid.optional(),
	remoteUser: textOf(remoteUserLength).optional(),
});

const root = '/api/v0/computers';

/** Computers (contract 4.5). */
export function createComputers(call: Caller): Service['computers'] {
	const decode = (answer: unknown): Computer => readOne(answer, computer, 'computer');
	return {
		create: async (values, options) =>
			call(
				{
					resource: 'computers.create',
					host: 'base',
					method: 'POST',
					path: root,
					body: check(draft, values, 'computer'),
					policy: 'post',
					decode,
				},
				options,
			),
		get: async (computerId, options) =>
			call(
				{
					resource: 'computers.get',
					host: 'base',
					method: 'GET',
					path: `${root}/${pathId(computerId, 'computerId')}`,
					policy: 'read',
					decode,
				},
				options,
			),
		update: async (computerId, values, options) =>
			call(
				{
					resource: 'computers.update',
					host: 'base',
					method: 'PATCH',
					path: `${root}/${pathId(computerId, 'computerId')}`,
					body: check(patch, values, 'computer'),
					policy: 'read',
					decode,
				},
				options,
			),
		installDeps: async (computerId, options) =>
			call(
				{
					resource: 'computers.installDeps',
					host: 'base',
					method: 'POST',
					path: `${root}/${pathId(computerId, 'computerId')}/install-deps`,
					policy: 'post',
					decode,
				},
				options,
			),
	};
}
