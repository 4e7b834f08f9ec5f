import type {OrganizationPart} from '../../src/state/organization/organization.ts';
import {readPart} from './organization-part.ts';

/** A process that reads one part of an organization, and reports the result and its cost. */
const [url = '', part = '', file = ''] = process.argv.slice(2);
const read = await readPart(url, part as OrganizationPart, file);
const rssMb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(`${JSON.stringify({...read, rssMb})}\n`);
